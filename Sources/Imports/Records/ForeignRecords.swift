import AfterpushWire
package import Dialects
package import Events
import JSON

/// What turning other systems' records into events depends on.
package struct ForeignContext: Sendable {
    let appID: Int32
    let settings: DialectSettings
    /// The key of the app's event IDs, so that an event has the same ID as over HTTP.
    let eventIDKey: EventIDKey

    package init(appID: Int32, settings: DialectSettings, eventIDKey: EventIDKey) {
        self.appID = appID
        self.settings = settings
        self.eventIDKey = eventIDKey
    }
}

/// The records of a chunk of another system's file, and the events that they became.
struct ForeignRecords {
    /// The events, and the records that can't be read. The lines are those of the records.
    private(set) var chunk = ImportChunk()
    private(set) var ignored = IgnoredEvents()
    /// The record of each line of `chunk.text`.
    private var records: [ArraySlice<UInt8>] = []
    /// The name of the record's event, and the record's number, by the lines of `chunk.text`.
    private var sources: [(name: String, number: Int)] = []
    /// The same of records of which an event was ignored.
    private var ignoredSources: [(name: String, number: Int, reason: IgnoredEvent.Reason)] = []
    /// The number of records so far.
    private var count = 0
    private let dialect: any RecordDialect.Type
    private let path: String
    private let context: ForeignContext
    /// The time that a dialect gives to events that state none, as if they had just arrived.
    private let arrival: String

    init(_ foreign: ImportChunk, of dialect: any RecordDialect.Type, path: String, _ context: ForeignContext) {
        self.dialect = dialect
        self.path = path
        self.context = context
        arrival = context.settings.receivedAt.description
        chunk.file = foreign.file
        chunk.refusals = foreign.refusals
        let lines = foreign.text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (place, record) in lines.enumerated() where record.contains(where: { !$0.isSpace }) {
            read(record, line: foreign.line(place))
        }
    }

    /// Returns the text of the record that an event came from, by the event's line in `chunk.text`.
    func record(_ place: Int) -> String { String(decoding: records[place], as: UTF8.self) }

    /// Returns what became of the records.
    ///
    /// - Parameter rejected: The codes of the events that were rejected, by their lines in `chunk.text`.
    func sums(rejected: [Int: String]) -> DialectSums {
        var sums = DialectSums(context.appID, dialect.family, capacity: count)
        for (place, source) in sources.enumerated() {
            sums.store(source.name, from: source.number, rejectedAs: rejected[place])
        }
        for source in ignoredSources { sums.ignore(source.name, from: source.number, source.reason) }
        for (place, refusal) in chunk.refusals.enumerated() {
            sums.store("", from: count + place, rejectedAs: refusal.code.rawValue)
        }
        return sums
    }

    private mutating func read(_ record: ArraySlice<UInt8>, line: Int) {
        guard let element = try? JSONElement(Array(record)) else { return split(record, line: line) }
        guard element.type == .object else { return refuse(record, "the record is not a JSON object", line: line) }
        read(element, record, line: line)
    }

    private mutating func read(_ element: JSONElement, _ record: ArraySlice<UInt8>, line: Int) {
        let submission = dialect.read(element, path: path, context.settings)
        for var event in submission.events {
            // The time of a run would be another one in the next run, and the event would count twice.
            if event.text(.occurredAt) == arrival { event.remove(.occurredAt) }
            chunk.append(event.json(dialect.family, context.eventIDKey).utf8, line: line)
            records.append(record)
            sources.append((event.source, count))
        }
        for event in submission.ignored {
            ignored.insert(event.name, event.reason)
            ignoredSources.append((event.name, count, event.reason))
        }
        count += 1
    }

    /// Reads a line that is not one JSON value: several objects without line ends between them, or nothing readable.
    private mutating func split(_ line: ArraySlice<UInt8>, line number: Int) {
        var reader = JSONReader()
        var parts = ImportChunk()
        let isRead = (try? reader.take(Array(line), into: &parts)) != nil && !reader.isInside
        let objects = parts.text.split(separator: UInt8(ascii: "\n"))
        guard isRead, objects.count > 1 else { return refuse(line, "the record is not JSON", line: number) }
        for object in objects {
            if let element = try? JSONElement(Array(object)), element.type == .object {
                read(element, object, line: number)
            } else {
                refuse(object, "the record is not a JSON object", line: number)
            }
        }
    }

    private mutating func refuse(_ record: ArraySlice<UInt8>, _ detail: String, line: Int) {
        chunk.refusals.append(
            ImportRejection(
                line: line, code: .invalidJSONType, detail: detail, record: String(decoding: record, as: UTF8.self)))
    }
}
