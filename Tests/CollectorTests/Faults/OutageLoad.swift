import AfterpushWire
import Foundation
import ReferenceModel
import SeededRandom
import Storage
import Synchronization
import TestSupport
import Testing

/// Posts events until each is acknowledged, and records the responses.
final class OutageLoad: Sendable {
    private let app: TestApp
    private let events: [ModelEvent]
    private let requests: [[ModelEvent]]
    /// The numbers of requests with a response of 200 or 202.
    private let acknowledged = Mutex<Set<Int>>([])

    private let spooled = Mutex(0)
    /// Requests with a lower number may be posted.
    private let released: Mutex<Int>

    /// The number of requests with a response of 202.
    var spooledRequests: Int { spooled.withLock { $0 } }
    /// The number of acknowledged events.
    var acknowledgedEvents: Int {
        acknowledged.withLock { $0.reduce(0) { $0 + requests[$1].count } }
    }
    /// The number of acknowledged requests.
    var acknowledgedRequests: Int { acknowledged.withLock { $0.count } }

    /// Creates a load with a number of events.
    ///
    /// - Parameter isHeld: Whether requests must be released before they are posted.
    init(_ app: TestApp, events count: Int, seed: UInt64, isHeld: Bool = false) {
        self.app = app
        released = Mutex(isHeld ? 0 : .max)
        var random = SeededGenerator(seed: seed)
        let now = Int(Date().timeIntervalSince1970 * 1_000_000)
        let kinds: [ModelKind] = [.sent, .delivered, .opened, .action, .dismissed, .read]
        let name = Identifier(app.app.name)
        events = (0..<count).map { number in
            let kind = kinds[number % kinds.count]
            var event = ModelEvent(
                app: name, notificationID: Identifier("n\(number / kinds.count)"),
                deviceID: Identifier("d\(Int(random.next() % 50))"), eventID: Self.id(seed, number), kind: kind,
                occurredAt: now - Int(random.next() % 86_400) * 1_000_000, verified: true)
            event.campaign = kind == .sent ? "spring" : nil
            event.platform = "ios"
            if kind == .action { event.actionIdentifier = "book" }
            return event
        }
        requests = stride(from: 0, to: count, by: 20).map { [events] in Array(events[$0..<min($0 + 20, count)]) }
    }

    private static func id(_ seed: UInt64, _ number: Int) -> UUID {
        UUID(uuidString: String(format: "%08X-0000-4000-8000-%012X", Int(seed), number)) ?? UUID()
    }

    /// Releases a number of further requests; by default all.
    func release(_ count: Int? = nil) {
        released.withLock { released in released = count.map { released + $0 } ?? .max }
    }

    /// Posts every request until it is acknowledged, as clients do.
    func post(to port: Int) async throws {
        let client = TestClient(url: "http://127.0.0.1:\(port)")
        try await withThrowingTaskGroup { group in
            for first in 0..<8 {
                group.addTask {
                    for number in stride(from: first, to: self.requests.count, by: 8) {
                        while self.released.withLock({ number >= $0 }) { try await Task.sleep(for: .milliseconds(5)) }
                        try await self.post(number, client)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func post(_ number: Int, _ client: TestClient) async throws {
        let body = try json(requests[number])
        let deadline = ContinuousClock.now + .seconds(90)
        while ContinuousClock.now < deadline {
            // Without a response, or with one that asks for a retry, the outcome is unknown, and sending again is safe.
            if let response = try? await client.post("/v1/events", body, key: app.sendKey) {
                if response.status == 200 || response.status == 202 {
                    if response.status == 202 { spooled.withLock { $0 += 1 } }
                    _ = acknowledged.withLock { $0.insert(number) }
                    return
                }
                #expect([408, 429, 502, 503, 504].contains(response.status), "\(response.status): \(response.text)")
            }
            try await Task.sleep(for: .milliseconds(30))
        }
        Issue.record("request \(number) was not acknowledged within 90 s")
    }

    /// Checks I1 and I3 (exactly one row for each event), I5 (each layer is the sum of the previous one), and a report.
    func expectEverythingOnce() async throws {
        #expect(acknowledged.withLock { $0.count } == requests.count)
        // Spooled events are stored when the collector has replayed them.
        try await app.waitUntil("every event is stored") {
            try await app.value("select count(*) from afterpush.events") == "\(events.count)"
        }
        let counts = "select count(*) || '/' || count(distinct event_id) from afterpush.events"
        #expect(try await app.value(counts) == "\(events.count)/\(events.count)")
        try await app.rollUp()
        #expect(try await app.maintenance.verify().isEmpty)
        let asOf = Int(Date().timeIntervalSince1970 * 1_000_000)
        var selection = Selection(app: Identifier(app.app.name), timeZone: .gmt, asOf: asOf)
        selection.by = [.campaign, .day]
        let model = conversionReport(events: events, declarations: Declarations(), selection: selection)
        let text = try await Program.psql(
            app.conninfo, file: Program.root.appending(path: "sql/reports/conversion.sql").path,
            variables: ["app": app.app.name, "by": "campaign,day"])
        #expect(text.split(separator: "\n").count == model.count + 1)
        for column in ["sent", "opened", "acted", "dismissed", "read", "responded"] {
            #expect(CSV.integers(text, column) == model.map { CSV.integer($0[column]) }, "\(column)")
        }
    }
}
