import AfterpushClient
import AfterpushWire
import Foundation

/// Makes the clients of those who post.
struct FleetSenders: Sendable {
    let url: URL
    let ingestKey: String
    let sendKey: String
    /// Nil: in memory.
    let queues: URL?
    let patience: Double
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
            network, lostAnswers: device.segment.lostAnswers, dice: device.networkDice)
        let clock: @Sendable () -> Timestamp = { Self.present.advanced(by: device.clockSkew) }
        guard let queues else {
            return sender(AfterpushClient(inMemory: configuration, transport: transport, now: clock), transport)
        }
        configuration.directory = queues.appending(path: device.id)
        return sender(AfterpushClient(configuration, transport: transport, now: clock), transport)
    }

    func server() -> FleetSender { other(key: sendKey) }

    /// Somebody with a key, who does as they like.
    func stranger(hasKey: Bool) -> FleetSender { other(key: hasKey ? ingestKey : "ap_ingest_none") }

    private func other(key: String) -> FleetSender {
        let transport = FleetTransport(network)
        let client = AfterpushClient(inMemory: configuration(key), transport: transport) { Self.present }
        return sender(client, transport)
    }

    private func sender(_ client: AfterpushClient, _ transport: FleetTransport) -> FleetSender {
        FleetSender(client, transport, patience: patience)
    }

    private func configuration(_ key: String) -> AfterpushConfiguration {
        var configuration = AfterpushConfiguration(
            url: url, key: key, directory: queues ?? FileManager.default.temporaryDirectory)
        configuration.batchEvents = 500
        // The fleet says when somebody posts.
        configuration.delay = .infinity
        configuration.firstRetryDelay = 0.02
        configuration.longestRetryDelay = 10
        // A plan may lie as far back as it likes.
        configuration.maximumAge = .infinity
        return configuration
    }

    private static var present: Timestamp {
        Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
    }
}
