import Events

/// A record that could not be made an event of.
struct ImportRejection: Sendable, Equatable {
    let line: Int
    let code: RejectionCode
    /// Holds nothing of the record.
    let detail: String

    static func tooLong(line: Int) -> ImportRejection {
        ImportRejection(
            line: line, code: .limitExceeded, detail: "the record is longer than \(ImportChunk.recordLimit) bytes")
    }
}
