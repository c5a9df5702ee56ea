import Foundation
import ReferenceModel
import Storage
import TestSupport
import Testing

extension ModelRun {
    /// Expects the response times that are read from rollups, as above 100,000 deliveries, to equal those of the model.
    func expectResponseTimesOfRollupsEqualModel(_ label: String) async throws {
        for (index, selection) in scenario.selections.enumerated() {
            guard let declarations = scenario.declarations[selection.app], let app = apps[selection.app] else {
                continue
            }
            var selection = selection
            let values = Dictionary(uniqueKeysWithValues: selection.query)
            func text(_ name: String) -> String {
                values[name].map { "'" + $0.replacing("'", with: "''") + "'" } ?? "null"
            }
            let clock: ResponseClock? = index % 2 == 0 ? nil : .sent
            let columns =
                selection.by.map(\.column) + [
                    "responded", "p50_seconds", "p90_seconds", "p99_seconds", "timed", "clock",
                ]
            // An hour is RFC 3339 in UTC, as in reports.
            let shown = columns.map { name in
                let value = name == "hour" ? #"to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')"# : name
                return "'\(name)', \(value)"
            }.joined(separator: ", ")
            let isTime: Set = ["day", "hour"]
            let order = selection.by.map(\.column).map { isTime.contains($0) ? $0 : "\($0) collate \"C\"" }
            let json = try #require(
                try await app.superuserValue(
                    """
                    select json_build_object(
                        'as_of', (extract(epoch from afterpush.as_of('\(app.app.name)')) * 1000000)::bigint,
                        'rows', (
                            select coalesce(
                                json_agg(json_build_object(\(shown)) order by \((order + ["1"]).joined(separator: ", "))),
                                '[]'
                            )
                            from afterpush.report_times(
                                '\(app.app.name)', \(text("from")), \(text("to")), \(text("campaign")),
                                \(text("category")), \(text("variant")), \(text("platform")), \(text("verified")),
                                coalesce(\(text("by")), ''), \(text("tz")), '\(clock?.rawValue ?? "auto")', -1,
                                \(text("app_version"))
                            )
                        )
                    )
                    """))
            let document = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            selection.asOf = try #require(document["as_of"] as? Int)
            let rows = try JSONSerialization.data(withJSONObject: document["rows"] ?? [])
            let model = responseTimeReport(
                events: scenario.events, declarations: declarations, selection: selection, clock: clock, rollups: true)
            if let found = difference(model: model, served: try ServedReport(json: rows)) {
                Issue.record("\(label), selection \(index), response times of rollups, \(values):\n\(found)")
            }
        }
    }
}
