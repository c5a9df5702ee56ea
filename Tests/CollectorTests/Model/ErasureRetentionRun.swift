import AfterpushWire
import Events
import Foundation
import Postgres
import ReferenceModel
import SeededRandom
import Storage
import TestSupport
import Testing

/// Runs erasure and retention on a posted scenario.
struct ErasureRetentionRun {
    private let scenario: Scenario
    private let run: ModelRun
    private let collectors: [SupervisedCollector]
    private let clients: [TestClient]
    private let seed: UInt64
    private let month: Int
    private let app: TestApp
    private let erased: [Identifier]

    init(_ scenario: Scenario, _ run: ModelRun, _ collectors: [SupervisedCollector], seed: UInt64, month: Int) {
        self.scenario = scenario
        self.run = run
        self.collectors = collectors
        self.seed = seed
        self.month = month
        clients = collectors.map { TestClient(url: "http://127.0.0.1:\($0.port)", timeout: 10) }
        let app = scenario.apps.compactMap { run.apps[$0] }[0]
        self.app = app
        let devices = Set(scenario.events.filter { $0.app == scenario.apps[0] }.map(\.deviceID))
        var random = SeededGenerator(seed: seed)
        erased = Array(devices.sorted().shuffled(using: &random).prefix(4)) + ["never/heard of \u{1F30B}"]
    }

    /// Erases devices, some twice, while the collectors are killed.
    func erase() async throws {
        let key = try await app.registry.createKey(app: app.app, scope: .manage)
        var random = SeededGenerator(seed: seed &+ 5)
        try await withThrowingTaskGroup { group in
            for device in erased + erased.prefix(2) {
                let first = Int(random.next() % 2)
                group.addTask {
                    let path = "/v1/devices/\(TestClient.part(device.text))"
                    try await insist { try await clients[(first + $0) % 2].delete(path, key: key).status == 202 }
                    try await insist {
                        let response = try await clients[(first + $0) % 2].get(path + "/erasure", key: key)
                        return try response.status == 200 && response.json()["done"] as? Bool == true
                    }
                }
            }
            let pauses = (0..<4).map { _ in random.next() % 400 }
            group.addTask {
                for (number, pause) in pauses.enumerated() {
                    try await Task.sleep(for: .milliseconds(Int(pause)))
                    await collectors[number % 2].kill()
                    try await collectors[number % 2].start()
                }
            }
            try await group.waitForAll()
        }
        try await check("erased")
        for device in erased { try await expectNothing(of: device) }
        let orphans =
            "select count(*) from afterpush.replies where delivery_id not in (select delivery_id from afterpush.events)"
        #expect(try await app.value(orphans) == "0", "seed \(seed): replies")
    }

    /// Drops the previous month, and expects all its counts to remain.
    func dropMonth() async throws {
        let before = try await sealedRows()
        #expect(!before.isEmpty)
        let periods = RetentionPeriods(
            events: Int64(Date().timeIntervalSince1970) - Int64(month / 1_000_000) - 3_600, rejected: nil)
        let retention = Retention(pool: app.database.owner, periods) {}
        let planned = try await retention.plan()
        #expect(planned.contains { $0.what == "events" })
        let deleted = try await retention.run()
        #expect(deleted.map(\.item).contains { $0.hasPrefix("events_") }, "\(deleted)")
        #expect(try await retention.run() == [])
        let old = "from afterpush.events where occurred_at < to_timestamp(\(month / 1_000_000))"
        let needed = "select count(*) \(old) and delivery_id not in (select delivery_id from afterpush.deliveries)"
        #expect(try await app.value(needed) == "0", "seed \(seed)")
        #expect(try await sealedRows() == before, "seed \(seed): sealed")
        try await check("month dropped", from: month)
        #expect(try await sealedRows() == before, "seed \(seed): sealed, after a rebuild")
    }

    /// Posts events for sealed hours, erased devices, and neither.
    func postLateEvents() async throws {
        let before = try await sealedRows()
        var random = SeededGenerator(seed: seed &+ 9)
        let ofDeliveries = scenario.events.filter {
            $0.app == scenario.apps[0] && !$0.isAboutDeviceAlone
                && !scenario.requiringReceipts.contains($0.app)
        }
        // The first verified event of a delivery moves its anchor, unless its hour is sealed, which the model ignores.
        func delivery(_ event: ModelEvent) -> [Identifier?] { [event.notificationID, event.deviceID] }
        let verified = Set(ofDeliveries.filter(\.verified).map(delivery))
        let own = ofDeliveries.filter { verified.contains(delivery($0)) }
        var lateEvents: [ModelEvent] = []
        var codes: [String?] = []
        for event in own.shuffled(using: &random).prefix(60) {
            var late = ModelEvent(
                app: event.app, notificationID: event.notificationID, deviceID: event.deviceID, eventID: UUID(),
                kind: .opened, occurredAt: scenario.now + 1_000_000, verified: true)
            let isOld = random.next() % 5 == 0
            if isOld { late.occurredAt = month - 1_000_000 }
            lateEvents.append(late)
            codes.append(
                erased.contains(late.deviceID) ? "device_suppressed" : isOld ? "occurred_at_out_of_range" : nil)
        }
        guard !lateEvents.isEmpty else { return }
        let response = try await clients[0].post("/v1/events", json(lateEvents, receipts: [:]), key: app.sendKey)
        #expect(try response.rejections() == ModelReceipts.byPosition(codes), "seed \(seed): \(response.text)")
        try await run.waitForRollups()
        let accepted = zip(lateEvents, codes).filter { $1 == nil }.map(\.0)
        try await check("late events", from: month, and: accepted)
        #expect(try await sealedRows() == before, "seed \(seed): sealed, after late events")
        for device in erased { try await expectNothing(of: device) }
    }

    private func check(_ label: String, from start: Int? = nil, and more: [ModelEvent] = []) async throws {
        try await run.expectReportsEqualModel("seed \(seed), \(label)", step: 3, from: start, and: more, erased: true)
        #expect(try await run.differences() == [], "seed \(seed), \(label): rollup verify")
        try await run.rebuild()
        #expect(try await run.differences() == [], "seed \(seed), \(label): rollup verify after a rebuild")
        try await run.expectReportsEqualModel(
            "seed \(seed), \(label), rebuilt", step: 9, from: start, and: more, erased: true)
    }

    private func sealedRows() async throws -> [String] {
        let tables = ["rollup_deliveries", "rollup_app_versions", "rollup_actions"]
        return try await app.database.owner.withConnection { connection in
            var rows: [String] = []
            for table in tables {
                rows += try await connection.query(
                    "select r::text from afterpush.\(table) as r where anchor_hour < to_timestamp(\(month / 1_000_000))",
                    format: .text
                ).compactMap { $0.text(0) }
            }
            return rows.sorted()
        }
    }

    private func expectNothing(of device: Identifier) async throws {
        let id = SQLText.literal(device.text)
        let count = try await app.value(
            """
            select (select count(*) from afterpush.events where app_id = \(app.app.id) and device_id = \(id))
                + (select count(*) from afterpush.deliveries where app_id = \(app.app.id) and device_id = \(id))
                + (select count(*) from afterpush.erasures where device_id is not null)
                + (select count(*) from afterpush.rejected_events
                   where app_id = \(app.app.id)
                     and afterpush.says_id(afterpush.rejected_event_content(event), \(id)))
            """)
        #expect(count == "0", "seed \(seed): \(device.text)")
    }

    /// Retries until the attempt succeeds, because collectors are restarted meanwhile.
    private func insist(_ attempt: (Int) async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(90)
        var number = 0
        while (try? await attempt(number)) != true {
            guard ContinuousClock.now < deadline else {
                throw Program.Failed(message: "the attempt did not succeed within 90 s")
            }
            number += 1
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
