import ArgumentParser
import Storage

/// The settings of the retention periods.
///
/// | key | environment | default |
/// | --- | --- | --- |
/// | `retention.events` | `AFTERPUSH_RETENTION_EVENTS` | `forever` |
/// | `retention.deliveries` | `AFTERPUSH_RETENTION_DELIVERIES` | `forever` |
/// | `retention.rejected` | `AFTERPUSH_RETENTION_REJECTED` | `90d` |
extension RetentionPeriods {
    /// Reads the periods from the flags, or else from `source`.
    init(
        _ source: SettingsSource, events: String? = nil, deliveries: String? = nil, rejected: String? = nil
    ) throws {
        self.init(
            events: try Self.seconds(events ?? source["retention.events"] ?? "forever", "retention events"),
            deliveries: try Self.seconds(
                deliveries ?? source["retention.deliveries"] ?? "forever", "retention deliveries"),
            rejected: try Self.seconds(rejected ?? source["retention.rejected"] ?? "90d", "retention rejected"))
        guard isConsistent else {
            throw ValidationError("retention deliveries: deliveries must be kept at least as long as events")
        }
    }

    /// Returns the seconds of a number of days or hours, or nil for `forever`.
    static func seconds(_ text: String, _ name: String) throws -> Int64? {
        if text == "forever" { return nil }
        guard let match = text.wholeMatch(of: /([1-9][0-9]{0,4})([dh])/), let count = Int64(match.1) else {
            throw ValidationError("\(name) must be forever, or a number of days or hours such as 400d")
        }
        return count * (match.2 == "d" ? 86_400 : 3_600)
    }
}
