import AfterpushWire
import Foundation
import Ingest
import Postgres
import ReferenceModel
import Storage
import TestSupport
import Testing

/// One scenario, posted to the collectors and asked of them.
struct ModelRun {
    let scenario: Scenario
    let collectors: ModelCollectors
    let apps: [Identifier: TestApp]
    private let receipts: ModelReceipts

    init(_ scenario: Scenario) async throws {
        self.scenario = scenario
        collectors = try await ModelCollectors.shared.value
        var apps: [Identifier: TestApp] = [:]
        for app in scenario.apps {
            apps[app] = try await TestApp(named: app.text, conninfo: collectors.conninfo)
        }
        for app in scenario.requiringReceipts {
            guard let app = apps[app] else { continue }
            try await app.registry.setReceiptPolicy(.required, of: app.app)
        }
        self.apps = apps
        receipts = try await ModelReceipts(scenario, apps)
    }

    /// Posts everything, a few requests at a time, while declarations come in and the workers stop and go.
    func post() async throws {
        var requests = scenario.requests()[...]
        var random = SplitMix64(seed: scenario.seed &+ 77)
        try await withThrowingTaskGroup { group in
            group.addTask { try await declare() }
            group.addTask { try await holdWorkers(seed: scenario.seed) }
            while !requests.isEmpty {
                let wave = requests.prefix(8)
                requests = requests.dropFirst(8)
                try await withThrowingTaskGroup { group in
                    for request in wave {
                        let client = collectors.clients[Int(random.next() % 2)]
                        group.addTask { try await post(request, client) }
                    }
                    try await group.waitForAll()
                }
            }
            try await group.waitForAll()
        }
    }

    private func post(_ request: [ModelEvent], _ client: TestClient) async throws {
        guard let first = request.first, let app = apps[first.app] else { return }
        let answer = try await client.post(
            "/v1/events", json(request, receipts: receipts.texts(of: first.app)),
            key: first.verified ? app.sendKey : app.ingestKey)
        let codes = request.map { scenario.rejection(of: $0) }
        #expect(answer.status == (codes.contains(nil) ? 200 : 422), "seed \(scenario.seed): \(answer.text)")
        #expect(
            try answer.rejections() == ModelReceipts.byPosition(codes), "seed \(scenario.seed): \(answer.text)")
        let counts = try answer.json()
        let stored = (counts["accepted"] as? Int ?? 0) + (counts["duplicates"] as? Int ?? 0)
        #expect(stored == codes.count { $0 == nil })
    }

    private func declare() async throws {
        for (name, declarations) in scenario.declarations {
            guard let app = apps[name] else { continue }
            try await ModelDeclarations(declarations, app, collectors.clients[0]).put()
        }
    }

    /// Takes the workers' lock away from them now and then.
    private func holdWorkers(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        guard let app = apps.values.first else { return }
        for _ in 0..<3 {
            try await Task.sleep(for: .milliseconds(Int(random.next() % 40)))
            let pause = UInt32(random.next() % 60) * 1_000
            try await app.database.owner.withConnection { connection in
                try await connection.transaction { connection in
                    _ = try connection.query("select from afterpush.rollup_worker for update")
                    usleep(pause)
                }
            }
        }
    }

    func rolledUp() async throws {
        for app in apps.values { try await app.rolledUp() }
    }

    func differences() async throws -> [String] {
        try await apps.values.first?.maintenance.verify().map { "\($0.layer): \($0.row)" } ?? []
    }

    func rebuild() async throws {
        try await apps.values.first?.maintenance.rebuild()
    }

    /// - Parameter step: asks for every so-manyth selection.
    func expectReportsEqualModel(_ label: String, step: Int = 1) async throws {
        for (index, selection) in scenario.selections.enumerated() where index % step == 0 {
            guard let declarations = scenario.declarations[selection.app], let app = apps[selection.app] else {
                continue
            }
            let client = collectors.clients[index % 2]
            for report in ["conversion", "actions"] {
                let answer = try await client.get(
                    TestClient.path("/v1/reports/\(report)", selection.query(for: report)), key: app.readKey)
                guard answer.status == 200 else {
                    Issue.record("\(label), selection \(index), \(report): \(answer.status) \(answer.text)")
                    continue
                }
                var selection = selection
                selection.asOf = try Self.asOf(answer)
                let model =
                    report == "conversion"
                    ? conversionReport(events: scenario.events, declarations: declarations, selection: selection)
                    : actionsReport(events: scenario.events, declarations: declarations, selection: selection)
                if let found = difference(model: model, served: try ServedReport(json: answer.body)) {
                    Issue.record("\(label), selection \(index), \(report), \(selection.query(for: report)):\n\(found)")
                }
            }
        }
    }

    static func asOf(_ answer: TestClient.Answer) throws -> Int {
        let text = try answer.json()["as_of"] as? String ?? ""
        return Int(try #require(Timestamp(text)).microseconds)
    }
}
