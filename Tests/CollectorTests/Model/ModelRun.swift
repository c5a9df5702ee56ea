import AfterpushWire
import Foundation
import Postgres
import Receipts
import ReferenceModel
import SeededRandom
import Storage
import TestSupport
import Testing

/// Posts a scenario to collectors and compares their reports with the model.
struct ModelRun {
    let scenario: Scenario
    let collectors: ModelCollectors
    let apps: [Identifier: TestApp]
    private let receipts: ModelReceipts

    /// Creates an app for the scenario.
    ///
    /// - Parameter collectors: Collectors with their own database; by default those that all seeds share.
    init(_ scenario: Scenario, on collectors: ModelCollectors? = nil) async throws {
        self.scenario = scenario
        if let collectors {
            self.collectors = collectors
        } else {
            self.collectors = try await ModelCollectors.shared.value
        }
        let collectors = self.collectors
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

    /// Posts all events, a few requests at a time, while declarations are posted and the workers are interrupted.
    ///
    /// - Parameters:
    ///   - part: The events to post; by default all.
    ///   - declares: Whether to post the declarations, which may be done once.
    func post(_ part: [ModelEvent]? = nil, declares: Bool = true) async throws {
        try await withThrowingTaskGroup { group in
            if declares { group.addTask { try await declare() } }
            group.addTask { try await holdWorkers(seed: scenario.seed) }
            try await post(scenario.requests(of: part))
            try await group.waitForAll()
        }
    }

    /// Posts declarations, then verified events, then all others.
    func postVerifiedFirst() async throws {
        try await declare()
        for isVerified in [true, false] {
            let requests = scenario.requests().map { request in
                request.filter { event in
                    (scenario.rejection(of: event) == nil && event.validated.verified) == isVerified
                }
            }
            try await post(requests.filter { !$0.isEmpty })
        }
    }

    private func post(_ requests: [[ModelEvent]]) async throws {
        var requests = requests[...]
        var random = SeededGenerator(seed: scenario.seed &+ 77)
        while !requests.isEmpty {
            let batch = requests.prefix(8)
            requests = requests.dropFirst(8)
            try await withThrowingTaskGroup { group in
                for request in batch {
                    let client = collectors.clients[Int(random.next() % 2)]
                    group.addTask { try await post(request, client) }
                }
                try await group.waitForAll()
            }
        }
    }

    private func post(_ request: [ModelEvent], _ client: TestClient) async throws {
        guard let first = request.first, let app = apps[first.app] else { return }
        let codes = request.map { scenario.rejection(of: $0) }
        let body = try json(request, receipts: receipts.texts(of: first.app))
        let key = first.verified ? app.sendKey : app.ingestKey
        if !codes.contains(where: { $0 != nil }), let dialect = ModelDialect.of(request) {
            let response = try await dialect.post(body, client, key: key)
            #expect(response.status == 200, "seed \(scenario.seed), \(dialect): \(response.text)")
            return
        }
        let response = try await client.post("/v1/events", body, key: key)
        #expect(response.status == (codes.contains(nil) ? 200 : 422), "seed \(scenario.seed): \(response.text)")
        #expect(
            try response.rejections() == ModelReceipts.byPosition(codes), "seed \(scenario.seed): \(response.text)")
        let counts = try response.json()
        let stored = (counts["accepted"] as? Int ?? 0) + (counts["duplicates"] as? Int ?? 0)
        #expect(stored == codes.count { $0 == nil })
    }

    private func declare() async throws {
        for (name, declarations) in scenario.declarations {
            guard let app = apps[name] else { continue }
            try await ModelDeclarations(declarations, app, collectors.clients[0]).put()
        }
    }

    /// Holds the workers' lock from time to time.
    private func holdWorkers(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
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

    func waitForRollups() async throws {
        for app in apps.values { try await app.waitForRollups() }
    }

    func differences() async throws -> [String] {
        try await apps.values.first?.maintenance.verify().map { "\($0.layer): \($0.row)" } ?? []
    }

    func rebuild() async throws {
        try await apps.values.first?.maintenance.rebuild()
    }

    /// Expects the reports of the collectors to equal those of the model.
    ///
    /// - Parameters:
    ///   - step: Every n-th selection is requested.
    ///   - start: The time before which nothing is requested.
    ///   - more: Events in addition to the scenario's.
    ///   - erased: Whether devices were erased, which the model ignores.
    func expectReportsEqualModel(
        _ label: String, step: Int = 1, from start: Int? = nil, and more: [ModelEvent] = [], erased: Bool = false
    ) async throws {
        let events = scenario.events + more
        for (index, selection) in scenario.selections.enumerated() where index % step == 0 {
            guard let declarations = scenario.declarations[selection.app], let app = apps[selection.app] else {
                continue
            }
            let client = collectors.clients[index % 2]
            var selection = selection
            if let start { selection.from = max(selection.from ?? start, start) }
            for report in ModelReport.all(for: index) {
                if start != nil && report.looksBack || erased && report.distinguishesDevices { continue }
                let query = report.query(selection)
                let response = try await client.get(
                    TestClient.path("/v1/reports/\(report.name)", query), key: app.readKey)
                guard response.status == 200 else {
                    Issue.record("\(label), selection \(index), \(report.name): \(response.status) \(response.text)")
                    continue
                }
                selection.asOf = try Self.asOf(response)
                let model = report.rows(events, declarations, selection)
                // Erased devices are not counted any more, and at some age their deliveries are left out.
                let ignored: Set<String> = erased ? Self.ignoredOnceErased : []
                let served = try ServedReport(json: response.body)
                if let found = difference(model: model, served: served, ignoring: ignored) {
                    Issue.record("\(label), selection \(index), \(report.name), \(query):\n\(found)")
                }
            }
        }
    }

    private static let ignoredOnceErased: Set<String> = [
        "devices", "deliveries_per_device", "compared", "previous", "change", "change_low", "change_high",
    ]

    /// The rows of all reports with `verified`, by report, selection and the hour of `as_of`, which may close deliveries.
    func verifiedReports() async throws -> [String: Data] {
        var found: [String: Data] = [:]
        for (index, selection) in scenario.selections.enumerated() {
            guard let app = apps[selection.app] else { continue }
            var selection = selection
            selection.verified = true
            for report in ModelReport.all {
                var query = report.query(selection)
                // The age at which it compares without a duration grows by the second.
                if report.name == "overview" { query = query.filter { $0.0 != "within" } + [("within", "9h")] }
                let path = TestClient.path("/v1/reports/\(report.name)", query)
                let response = try await collectors.clients[index % 2].get(path, key: app.readKey)
                #expect(response.status == 200, "\(path): \(response.text)")
                let hour = try Self.asOf(response) / microsecondsPerHour
                let rows = try response.json()["rows"] ?? []
                found["\(index) \(path) \(hour)"] = try JSONSerialization.data(
                    withJSONObject: rows, options: [.sortedKeys, .fragmentsAllowed])
            }
        }
        return found
    }

    static func asOf(_ response: TestClient.Response) throws -> Int {
        let text = try response.json()["as_of"] as? String ?? ""
        return Int(try #require(Timestamp(text)).microseconds)
    }
}
