import AfterpushClient
import AfterpushWire
package import Foundation

/// A few events a second, as they happen, for a page that shows what arrives: a server sends notifications, and some of
/// their devices confirm them, read them, open them and convert.
package struct FleetTrickle: Sendable {
    /// The campaign of the notifications.
    package static let campaign = (id: "order-update", name: "Order update")

    private let url: URL
    private let ingestKey: String
    private let sendKey: String
    private let transport: any EventTransport
    /// The time between two rounds of events.
    private let pause: Duration

    /// Creates a trickle.
    ///
    /// - Parameter baseURL: The address of the collector.
    package init(baseURL: URL, ingestKey: String, sendKey: String, pause: Duration = .milliseconds(900)) {
        url = baseURL.appending(path: "v1/events")
        self.ingestKey = ingestKey
        self.sendKey = sendKey
        self.pause = pause
        transport = AfterpushClient.defaultTransport(connections: 2)
    }

    /// Posts events until the task is cancelled. What the collector doesn't accept is lost, as it is a demo.
    package func run() async {
        var people = TricklePeople()
        while !Task.isCancelled {
            let round = people.round(at: Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000) * 1_000))
            await post(round.sends, key: sendKey)
            await post(round.responses, key: ingestKey)
            try? await Task.sleep(for: pause)
        }
    }

    private func post(_ events: [IngestEvent], key: String) async {
        guard !events.isEmpty, let body = try? JSONEncoder().encode(events) else { return }
        let request = TransportRequest(
            method: "POST", url: url,
            headers: ["Authorization": "Bearer \(key)", "Content-Type": "application/json"], body: body, timeout: 5)
        _ = try? await transport.send(request)
    }
}

/// The people of a trickle: who gets a notification when, and what they do with it.
struct TricklePeople {
    private var random = SystemRandomNumberGenerator()
    /// What is still to happen, in no order.
    private var waiting: [IngestEvent] = []

    /// Returns what happens until a time, and plans what follows from it.
    mutating func round(at now: Timestamp) -> (sends: [IngestEvent], responses: [IngestEvent]) {
        let sends = (0..<Int.random(in: 0...2, using: &random)).map { _ in send(at: now) }
        let due = waiting.filter { $0.occurredAt <= now }.sorted { $0.occurredAt < $1.occurredAt }
        waiting.removeAll { $0.occurredAt <= now }
        return (sends, due)
    }

    /// A notification to one of 500 devices, and what its owner will do.
    private mutating func send(at now: Timestamp) -> IngestEvent {
        let device = "live-\(Int.random(in: 0..<500, using: &random))"
        let notification = "order-\(UUID().uuidString.prefix(8).lowercased())"
        var event = IngestEvent(
            eventID: UUID(), kind: .sent, notificationID: notification, deviceID: device, occurredAt: now)
        event.campaignID = FleetTrickle.campaign.id
        event.platform = [.iOS, .iOS, .android, .web].randomElement(using: &random)
        func later(_ kind: EventKind, after seconds: ClosedRange<Double>, _ probability: Double) -> Timestamp? {
            guard Double.random(in: 0..<1, using: &random) < probability else { return nil }
            let time = now.advanced(by: Double.random(in: seconds, using: &random))
            waiting.append(
                IngestEvent(
                    eventID: UUID(), kind: kind, notificationID: notification, deviceID: device, occurredAt: time))
            return time
        }
        guard later(.delivered, after: 0.3...2, 0.95) != nil else { return event }
        _ = later(.read, after: 3...12, 0.2)
        guard later(.opened, after: 3...20, 0.4) != nil, let time = later(.converted, after: 21...40, 0.3) else {
            return event
        }
        for index in waiting.indices where waiting[index].occurredAt == time && waiting[index].kind == .converted {
            waiting[index].name = "purchase"
            waiting[index].value = Decimal(Int.random(in: 5...80, using: &random))
            waiting[index].currency = "EUR"
        }
        return event
    }
}
