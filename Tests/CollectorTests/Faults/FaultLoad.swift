import Foundation
import Synchronization
import TestSupport

/// Sends a mixed load during a fault, repeats each request until its final response, and keeps a ledger.
final class FaultLoad: Sendable {
    /// The settings of a load.
    ///
    /// | property | meaning |
    /// | --- | --- |
    /// | `senders` | number of concurrent requests |
    /// | `duplicates` | share of repeated events |
    /// | `pause` | time between two requests of a sender |
    /// | `timeout` | time limit of an attempt in seconds |
    /// | `acknowledgementTimeout` | time after which an unacknowledged request is a failure |
    struct Configuration: Sendable {
        var senders = 6
        var duplicates = 0.05
        var pause: Duration = .milliseconds(10)
        var timeout = 5.0
        var acknowledgementTimeout: Duration = .seconds(90)
    }

    let app: TestApp
    let ledger = EventLedger()
    private let run: FaultRun
    private let configuration: Configuration
    private let isOver = Mutex(false)
    private let generation = Mutex(0)
    /// The ports to which the load was sent.
    let ports = Mutex<Set<Int>>([])

    init(_ app: TestApp, _ run: FaultRun, _ change: (inout Configuration) -> Void = { _ in }) {
        var configuration = Configuration()
        change(&configuration)
        self.app = app
        self.run = run
        self.configuration = configuration
        run.add(ledger)
    }

    /// Sends to the collectors in turn while `fault` runs, and afterwards until everything is acknowledged.
    func against(_ ports: [Int], _ fault: () async throws -> Void) async throws {
        isOver.withLock { $0 = false }
        self.ports.withLock { $0.formUnion(ports) }
        let number = generation.withLock { generation in
            generation += 1
            return generation
        }
        let clients = ports.map { TestClient(url: "http://127.0.0.1:\($0)", timeout: configuration.timeout) }
        try await withThrowingTaskGroup { group in
            for sender in 0..<configuration.senders {
                group.addTask { await self.send(clients, sender: sender + number * 100) }
            }
            let result: Result<Void, any Error>
            do { result = .success(try await fault()) } catch { result = .failure(error) }
            isOver.withLock { $0 = true }
            try await group.waitForAll()
            try result.get()
        }
    }

    /// Sends every event of the ledger again until it is acknowledged.
    func replay(to port: Int) async throws {
        ports.withLock { _ = $0.insert(port) }
        let client = TestClient(url: "http://127.0.0.1:\(port)", timeout: configuration.timeout)
        let events = ledger.entries.values.map(\.event)
        for start in stride(from: 0, to: events.count, by: 100) {
            await deliver(Array(events[start..<min(start + 100, events.count)]), [client], 0)
        }
    }

    private func send(_ clients: [TestClient], sender: Int) async {
        var mix = EventMix(seed: run.seed, sender: sender)
        while !isOver.withLock({ $0 }) {
            var events = mix.request()
            for place in events.indices where mix.chance(configuration.duplicates) {
                guard let known = ledger.recent({ mix.pick(below: $0) }) else { break }
                events[place] = known
            }
            await deliver(events, clients, sender)
            try? await Task.sleep(for: configuration.pause)
        }
    }

    /// Sends one request repeatedly until its final response.
    private func deliver(_ events: [LedgerEvent], _ clients: [TestClient], _ sender: Int) async {
        let body = EventJSON.body(raw: events.map(\.json))
        let start = ContinuousClock.now
        for attempt in 0... {
            ledger.recordRequest(events, isRetry: attempt > 0)
            let sent = ContinuousClock.now
            let client = clients[(sender + attempt) % clients.count]
            let response = try? await client.post("/v1/events", body, key: app.sendKey)
            ledger.recordResponse(status: response?.status ?? 0, after: sent.duration(to: .now))
            if let response, isFinal(response, events, start.duration(to: .now)) { return }
            guard start.duration(to: .now) < configuration.acknowledgementTimeout else { break }
            // A real client would wait for Retry-After; the test does not.
            try? await Task.sleep(for: .milliseconds(Int.random(in: 10...80)))
        }
        ledger.recordViolation("a request was not acknowledged within \(configuration.acknowledgementTimeout)")
    }

    private func isFinal(_ response: TestClient.Response, _ events: [LedgerEvent], _ duration: Duration) -> Bool {
        switch response.status {
        case 200, 202, 422:
            guard let rejections = try? response.rejections() else {
                ledger.recordViolation("\(response.status) without a readable body")
                return false
            }
            ledger.recordOutcome(events, rejections: rejections, unackedFor: duration)
            return true
        case 429, 503:
            if response.headers["retry-after"] == nil {
                ledger.recordViolation("\(response.status) without Retry-After")
            }
            return false
        case 408, 502, 504:
            return false
        default:
            ledger.recordViolation("status \(response.status): \(response.text.prefix(200))")
            return true
        }
    }
}
