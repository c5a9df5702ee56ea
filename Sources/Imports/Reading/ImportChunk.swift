import Dialects
import Events

/// A number of records of a file, each as the JSON of an event or of another system's record on its own line.
struct ImportChunk: Sendable {
    /// The approximate size of a chunk in bytes: a few thousand events, stored as one group.
    static let target = 1 << 20
    /// The most records of a chunk. A record can be two bytes long, but each takes about a KB while it is stored or
    /// rejected.
    static let recordCount = 10_000
    /// The length in bytes beyond which a record is not kept in memory; the limit for an event is far lower.
    static let recordLimit = 1 << 20

    /// The index of the file among the imported files.
    var file = 0
    /// The dialect of the records, or `nil` if they are native events.
    var dialect: (any RecordDialect.Type)?
    var text: [UInt8] = []
    /// The line number in the file of the first line of `text`, if its lines are consecutive.
    var firstLine = 1
    /// The line numbers in the file of the lines of `text`, if they are not consecutive.
    var lines: [Int] = []
    /// The records that have no line in `text`.
    var refusals: [ImportRejection] = []

    var isFull: Bool { text.count >= Self.target || lines.count + refusals.count >= Self.recordCount }
    var isEmpty: Bool { text.isEmpty && refusals.isEmpty }

    /// Appends a record that began at a line of the file.
    mutating func append(_ record: some Sequence<UInt8>, line: Int) {
        text.append(contentsOf: record)
        text.append(UInt8(ascii: "\n"))
        lines.append(line)
    }

    /// Returns the line number in the file of a line of `text`; `place` counts from 0.
    func line(_ place: Int) -> Int {
        lines.indices.contains(place) ? lines[place] : firstLine + place
    }
}

/// A record that could not be turned into an event.
struct ImportRejection: Sendable, Equatable {
    let line: Int
    let code: RejectionCode
    /// The reason, which includes nothing of the record.
    let detail: String
    /// The record of another system's file, if it is kept.
    var record: String?

    static func tooLong(line: Int) -> ImportRejection {
        ImportRejection(
            line: line, code: .limitExceeded, detail: "the record is longer than \(ImportChunk.recordLimit) bytes")
    }
}
