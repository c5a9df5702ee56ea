import Ingest

/// A record that could not be made an event of.
struct ImportRefusal: Sendable, Equatable {
    let line: Int
    let code: RejectionCode
    /// Holds nothing of the record.
    let detail: String

    static func tooLong(line: Int) -> ImportRefusal {
        ImportRefusal(
            line: line, code: .limitExceeded, detail: "the record is longer than \(ImportChunk.recordLimit) bytes")
    }
}
