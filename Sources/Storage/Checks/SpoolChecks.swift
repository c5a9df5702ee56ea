package import AfterpushWire
import Spool

/// Checks the events that are waiting in the spools of a directory.
package enum SpoolChecks {
    /// Returns the result for all spools of the directory, or `nil` if there are none.
    package static func finding(_ directory: String, at now: AfterpushWire.Timestamp) async -> CheckResult? {
        do throws(SpoolContents.Unreadable) {
            return try SpoolContents(directory: directory).map { finding($0, directory, at: now) }
        } catch {
            return CheckResult(
                "spool", .fail, error.description,
                advice: "the next collector that starts recovers what it can read; check the disk and its permissions")
        }
    }

    private static func finding(
        _ contents: SpoolContents, _ directory: String, at now: AfterpushWire.Timestamp
    ) -> CheckResult {
        let seconds = contents.oldest.map { max(0, (now.microseconds - $0.microseconds) / 1_000_000) } ?? 0
        let age = contents.entries > 0 ? ", the oldest for \(seconds) s" : ""
        let waiting = contents.events == 1 ? "1 event waits" : "\(contents.events) events wait"
        let text = """
            \(waiting) in \(directory)\(age) \
            (\(contents.bytes >> 20) MiB, \(contents.setAside) entries set aside)
            """
        if contents.setAside > 0 {
            return CheckResult(
                "spool", .warn, text,
                advice: "PostgreSQL refused those entries or they are damaged; see the table set_aside in the files")
        }
        // A running collector replays the spool within seconds after PostgreSQL is available again.
        if seconds > 60 {
            return CheckResult(
                "spool", .warn, text, advice: "PostgreSQL is unavailable, or no collector is running to replay it")
        }
        return CheckResult("spool", .ok, text)
    }
}
