import AfterpushWire
import Declarations
import Events
import Foundation
import Receipts
import Storage
import TestSupport
import Testing

/// Tests who decides on the time of an event that states none.
@Suite struct ArrivalForgeryTests {
    private enum Proof: String, CaseIterable, Sendable {
        case sendKey, receipt
    }

    private static let shared = Task { try await HTTPTestCollector(environment: [:]) }
    private let collector: HTTPTestCollector
    private let app: TestApp

    init() async throws {
        collector = try await Self.shared.value
        app = collector.app
    }

    /// Posts an event about a notification to a collector, and returns the numbers of accepted events and duplicates.
    private func post(
        _ name: String, _ fields: [String: String], key: String, to client: TestClient
    ) async throws -> [Int?] {
        let event = ["kind": "opened", "notification_id": name, "device_id": "d"].merging(fields) { $1 }
        let response = try await client.post("/v1/hooks/native", JSONEncoder().encode(event), key: key)
        #expect(response.status == 200, "\(response.text)")
        let answer = try response.json()
        return [answer["accepted"] as? Int, answer["duplicates"] as? Int]
    }

    @Test(arguments: Proof.allCases, [true, false])
    private func `a copy without the proof does not decide on the time of a verified event`(
        proof: Proof, hasID: Bool
    ) async throws {
        let name = "arrival-\(proof)-\(hasID)"
        let now = Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 * 1_000_000))
        var fields: [String: String] = [:]
        if hasID { fields["event_id"] = UUID().uuidString }
        var genuine = fields
        if proof == .receipt {
            let claims = ReceiptClaims(
                app: app.app.name, notificationID: name, deviceID: "d", issuedAt: now,
                expiresAt: Timestamp(microseconds: now.microseconds + 3_600_000_000), campaignID: nil, categoryID: nil)
            genuine["receipt"] = try await app.receipts([claims])[0]
        }
        let key = proof == .sendKey ? app.sendKey : app.ingestKey
        let early = Timestamp(microseconds: now.microseconds - 6 * 86_400_000_000)

        // The forger's copies: one with a time of its own, and one with that of its arrival.
        _ = try await post(
            name, fields.merging(["occurred_at": early.description]) { $1 }, key: app.ingestKey, to: collector.client)
        _ = try await post(name, fields, key: app.ingestKey, to: collector.client)
        #expect(try await post(name, genuine, key: key, to: collector.client)[0] == 1)
        // What another collector finds in the database is the verified event, and not a copy that was stored before.
        let other = try await CollectorProcess(conninfo: app.conninfo)
        #expect(try await post(name, genuine, key: key, to: TestClient(url: other.url)) == [0, 1])
        await other.stop()

        let verified = "from afterpush.events where notification_id = '\(name)' and verified"
        #expect(try await app.value("select count(*) \(verified)") == "1")
        let isOnTime = "min(occurred_at) >= timestamptz '\(now)' - interval '1 s'"
        #expect(try await app.value("select \(isOnTime) \(verified)") == "t")
    }
}
