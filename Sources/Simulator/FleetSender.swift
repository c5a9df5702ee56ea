import AfterpushClient
import AfterpushWire
import Foundation

/// A client of the device library with its way to the collector.
struct FleetSender: Sendable {
    private let client: AfterpushClient
    private let transport: FleetTransport
    /// Seconds after which what is not taken is an error.
    private let patience: Double

    init(_ client: AfterpushClient, _ transport: FleetTransport, patience: Double) {
        self.client = client
        self.transport = transport
        self.patience = patience
    }

    func record(_ entries: [DeviceEventLog.Entry]) throws {
        for entry in entries { try client.recordSynchronously(entry.event, id: entry.id, at: entry.time) }
    }

    func keep(_ events: some Sequence<IngestEvent>) throws {
        for event in events { try client.enqueue(event) }
    }

    /// Posts all there is. Throws `FleetPostError` if it is not taken.
    func post() async throws -> FleetTally {
        guard await client.flush(within: patience) != .completed else { return transport.takeTally() }
        try Task.checkCancellation()
        throw FleetPostError(transport.failure)
    }

    /// Posts what nobody will take: whether its key was refused.
    func postInVain() async -> Bool {
        await client.flush(within: patience) == .keyRefused
    }
}
