package import JSON

/// The form in which another system writes its events into files, one event per record.
///
/// All functions are pure, as those of `Dialect` are.
package protocol RecordDialect: Sendable {
    /// What the files are called on the command line, and part of the identity of their events.
    static var family: DialectFamily { get }

    /// Returns whether a record has the form of this dialect, whatever its event is.
    static func claims(_ record: JSONObject) -> Bool

    /// Returns whether a CSV file with these columns is of this dialect. Its rows are records whose values are all texts.
    static func claims(columns: Set<String>) -> Bool

    /// Turns a record into native events.
    ///
    /// - Parameter path: The file's path, which states the type of the events in some systems.
    static func read(_ record: JSONElement, path: String, _ settings: DialectSettings) -> DialectSubmission
}

extension RecordDialect {
    package static func claims(columns: Set<String>) -> Bool { false }
}

extension RecordDialect where Self: RecordEvents {
    package static func read(_ record: JSONElement, path: String, _ settings: DialectSettings) -> DialectSubmission {
        var submission = DialectSubmission()
        if let object = record.object {
            read(object, settings, into: &submission)
        } else {
            submission.ignore(0, "", .malformed)
        }
        return submission
    }
}

/// A dialect whose records are objects that say everything about their event.
package protocol RecordEvents {
    static func read(_ record: JSONObject, _ settings: DialectSettings, into submission: inout DialectSubmission)
}

/// All dialects of files. A new one is a folder and a line here.
package enum RecordDialects {
    package static let all: [any RecordDialect.Type] = [
        FCMRecords.self, AirshipRecords.self, PinpointRecords.self, GA4Records.self, SegmentRecords.self,
        PostHogRecords.self, BrazeRecords.self,
    ]

    /// The names on the command line.
    package static let names = all.map { $0.family.rawValue }.joined(separator: ", ")

    /// Returns the dialect of a family, or `nil` if it has none for files.
    package static func named(_ name: String) -> (any RecordDialect.Type)? {
        all.first { $0.family.rawValue == name }
    }

    /// Returns the dialect of a file by its first records, or `nil` if they are native or of no dialect.
    ///
    /// A single record that states a native event's ID or kind makes the file native, so that no native file is taken for
    /// another.
    package static func find(_ records: [JSONObject]) -> (any RecordDialect.Type)? {
        guard !records.contains(where: { $0["event_id"] != nil || $0["kind"] != nil }) else { return nil }
        for record in records {
            if let dialect = all.first(where: { $0.claims(record) }) { return dialect }
        }
        return nil
    }

    /// Returns the dialect of a CSV file by its columns, or `nil` if it is native or of no dialect.
    package static func find(columns: Set<String>) -> (any RecordDialect.Type)? {
        columns.contains("event_id") ? nil : all.first { $0.claims(columns: columns) }
    }
}

extension ForeignEvent {
    /// Returns a native event of this kind and time. Without a time it is rejected, because files don't say when they
    /// arrived.
    func native(_ kind: String, at time: JSONElement?, id: String? = nil) -> NativeEvent {
        var native = native(kind, id: id)
        native.remove(.occurredAt)
        native.set(.occurredAt, ForeignTime.text(time))
        return native
    }
}
