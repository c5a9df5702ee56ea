import AfterpushWire
import Events
import Foundation
import Ingest
import Logging
import Spool

/// Creates groups of events that are identified by name.
enum SpoolSample {
    static let logger = Logger(label: "tests", factory: { _ in SwiftLogNoOpLogHandler() })

    /// Returns a group of requests with one event each for the named notifications; an empty name is a rejected event.
    static func group(
        _ names: [String], filler: Int = 0, receivedAt: Date = Date(timeIntervalSince1970: 1_795_255_200)
    ) throws -> EventGroup {
        let context = ValidationContext(
            appID: 7, scope: .send,
            receivedAt: Timestamp(microseconds: Int64(receivedAt.timeIntervalSince1970 * 1_000_000)))
        return EventGroup(
            try names.map { name in
                let id = name.isEmpty ? "none" : UUID().uuidString
                let body = """
                    {"event_id":"\(id)","kind":"opened","notification_id":"\(name)","device_id":"d",\
                    "occurred_at":"2026-11-21T09:59:00Z","filler":"\(String(repeating: "x", count: filler))"}
                    """
                return try PendingSubmission(Submission.read(Array(body.utf8), as: .json), context)
            })
    }

    static func names(_ entries: [SpooledEntry]) -> [String] {
        entries.flatMap { $0.entry.events.compactMap(\.notificationID) }
    }

    /// Returns the outcomes of groups that the database stores.
    static func stored(_ entries: [SpooledEntry]) -> [SubmissionOutcome] {
        EventGroup(entries.map(\.pending)).results
    }
}
