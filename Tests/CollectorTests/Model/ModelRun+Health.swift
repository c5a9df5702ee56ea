import AfterpushWire
import Foundation
import Postgres
import ReferenceModel
import Storage
import TestSupport
import Testing

/// Compares the data quality reports with the model.
extension ModelRun {
    /// Expects the data quality reports of the collectors to equal those of the model.
    ///
    /// - Parameter step: Every n-th selection is requested.
    func expectHealthEqualsModel(_ label: String, step: Int = 1) async throws {
        var stored: [Identifier: StoredTimes] = [:]
        for (name, app) in apps { stored[name] = try await storedTimes(of: name, app) }
        for (index, selection) in scenario.selections.enumerated() where index % step == 0 {
            guard let declarations = scenario.declarations[selection.app], let app = apps[selection.app] else {
                continue
            }
            for report in HealthModelReport.allCases {
                let query = report.query(selection)
                let response = try await collectors.clients[index % 2].get(
                    TestClient.path("/v1/reports/\(report.name)", query), key: app.readKey)
                guard response.status == 200 else {
                    Issue.record("\(label), selection \(index), \(report): \(response.status) \(response.text)")
                    continue
                }
                var selection = selection
                // None of these reports has the parameter, so the request did not state it.
                selection.appVersion = nil
                selection.asOf = try Self.asOf(response)
                let model = report.model(scenario, declarations, stored[selection.app] ?? [:], selection)
                let served = try report.comparable(ServedReport(json: response.body))
                if let found = difference(model: model, served: served, ignoring: ["detail"]) {
                    Issue.record("\(label), selection \(index), \(report), \(query):\n\(found)")
                }
            }
        }
    }

    /// The time when each event was stored, from the database.
    private func storedTimes(of name: Identifier, _ app: TestApp) async throws -> StoredTimes {
        var times: [[String]: Int] = [:]
        for row in try await storedRows(app) {
            let (event, notification, device, occurred, stored) = row
            times[[event, notification, device, String(occurred)]] = Int(stored)
        }
        var known: StoredTimes = [:]
        for event in scenario.events where event.app == name {
            let identity = EventIdentity(event)
            let key = [
                event.eventID.uuidString.lowercased(), identity.notificationID.map { Self.hex($0.text) } ?? "",
                Self.hex(event.deviceID.text), String(event.occurredAt),
            ]
            known[identity] = times[key]
        }
        return known
    }

    /// The stored events; identifiers are hexadecimal, because Swift considers some different texts equal.
    private func storedRows(_ app: TestApp) async throws -> [(String, String, String, Int64, Int64)] {
        try await app.database.owner.withConnection { connection in
            let rows = try await connection.query(
                """
                select
                    e.event_id::text,
                    coalesce(encode(convert_to(e.notification_id, 'UTF8'), 'hex'), ''),
                    encode(convert_to(e.device_id, 'UTF8'), 'hex'),
                    (extract(epoch from e.occurred_at) * 1000000)::bigint,
                    (extract(epoch from b.started_at) * 1000000)::bigint
                from afterpush.events as e
                join afterpush.batches as b using (batch_id)
                where e.app_id = \(app.app.id)
                """)
            return try rows.map { try $0.decode(String.self, String.self, String.self, Int64.self, Int64.self) }
        }
    }

    private static func hex(_ text: String) -> String {
        text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
