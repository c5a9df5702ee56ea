import AfterpushClient
import AfterpushWire
import Foundation

/// A client of the device library with its transport: a device, a server or a forger.
struct FleetSender: Sendable {
    private let client: AfterpushClient
    private let transport: FleetTransport
    /// The seconds after which it is an error that the collector has not acknowledged the events.
    private let timeout: Double

    init(_ client: AfterpushClient, _ transport: FleetTransport, timeout: Double) {
        self.client = client
        self.transport = transport
        self.timeout = timeout
    }

    func record(_ entries: [DeviceEventLog.Entry]) throws {
        for entry in entries { try client.recordSynchronously(entry.event, id: entry.id, at: entry.time) }
    }

    func enqueue(_ events: some Sequence<IngestEvent>) throws {
        for event in events { try client.enqueue(event) }
    }

    /// Posts all waiting events. Throws a `FleetPostError` if the collector doesn't acknowledge them in time.
    func post() async throws -> FleetTally {
        guard await client.flush(within: timeout) != .completed else { return transport.takeTally() }
        try Task.checkCancellation()
        throw FleetPostError(transport.failure)
    }

    /// Posts all waiting events with an invalid key. Returns whether the collector refused it.
    func postExpectingRefusal() async -> Bool {
        await client.flush(within: timeout) == .keyRefused
    }
}

/// A factory for the senders of a fleet.
struct FleetSenders: Sendable {
    let url: URL
    let ingestKey: String
    let sendKey: String
    /// The directory of the devices' queues, or nil for queues in memory.
    let queues: URL?
    let timeout: Double
    let network: any EventTransport

    func device(_ device: SimulatedDevice) -> FleetSender {
        var configuration = configuration(ingestKey)
        configuration.deviceID = device.id
        configuration.details = {
            DeviceDetails(
                platform: device.platform, appVersion: device.build.version, osVersion: device.osVersion,
                locale: device.home.locale, utcOffsetMinutes: device.home.utcOffsetMinutes)
        }
        let transport = FleetTransport(
            network, lostResponses: device.segment.lostResponses, random: device.networkRandom)
        let clock: @Sendable () -> Timestamp = { Self.now.advanced(by: device.clockSkew) }
        guard let queues else {
            return sender(AfterpushClient(inMemory: configuration, transport: transport, now: clock), transport)
        }
        configuration.directory = queues.appending(path: device.id)
        return sender(AfterpushClient(configuration, transport: transport, now: clock), transport)
    }

    func server() -> FleetSender { inMemory(key: sendKey) }

    func forger(hasKey: Bool) -> FleetSender { inMemory(key: hasKey ? ingestKey : "ap_ingest_none") }

    private func inMemory(key: String) -> FleetSender {
        let transport = FleetTransport(network)
        let client = AfterpushClient(inMemory: configuration(key), transport: transport) { Self.now }
        return sender(client, transport)
    }

    private func sender(_ client: AfterpushClient, _ transport: FleetTransport) -> FleetSender {
        FleetSender(client, transport, timeout: timeout)
    }

    private func configuration(_ key: String) -> AfterpushConfiguration {
        var configuration = AfterpushConfiguration(
            url: url, key: key, directory: queues ?? FileManager.default.temporaryDirectory)
        configuration.batchEvents = 500
        // The fleet decides when to post.
        configuration.delay = .infinity
        configuration.firstRetryDelay = 0.02
        configuration.longestRetryDelay = 10
        // A plan may be of any time in the past.
        configuration.maximumAge = .infinity
        return configuration
    }

    private static var now: Timestamp {
        Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
    }
}
