import AfterpushClient
import AfterpushWire
import Foundation
import SeededRandom
import Synchronization
import TestSupport
import Testing

/// Tests the device library against a real collector over a faulty network.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ClientNetworkTests {
    @Test func `each recorded event is stored once and unchanged over a faulty network`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        var faults: [HTTPFaultProxy.Fault: Int] = [:]
        let first = FaultScale.firstSeed ?? 1
        for seed in first..<first + UInt64(FaultScale.pick(quick: 6, long: 200)) {
            let dice = Mutex(SeededGenerator(seed: seed))
            let proxy = try HTTPFaultProxy(to: collector.port) {
                dice.withLock { dice in
                    Bool.random(using: &dice)
                        ? .pass : HTTPFaultProxy.Fault.allCases.randomElement(using: &dice) ?? .pass
                }
            }
            let device = "device-\(seed)"
            let recorded = try await Self.live(device, through: proxy, key: app.ingestKey, seed: seed)
            proxy.close()
            faults.merge(proxy.faults, uniquingKeysWith: +)
            let stored = try await app.value(
                """
                select string_agg(event_id::text || ' ' || (properties ->> 'number'), ',' order by properties ->> 'number')
                from afterpush.events where device_id = '\(device)'
                """)
            #expect(stored == recorded.sorted().joined(separator: ","), "seed \(seed)")
        }
        #expect(faults.count == HTTPFaultProxy.Fault.allCases.count, "\(faults)")
        // No other event was stored, and none was rejected.
        #expect(try await app.value("select count(*) from afterpush.events where device_id not like 'device-%'") == "0")
        #expect(try await app.value("select count(*) from afterpush.rejected_events") == "0")
        #expect(try await app.value("select sum(conflicts) from afterpush.batches") == "0")
    }

    /// Runs a device that records for a while, restarts sometimes, and finally sends everything.
    ///
    /// - Returns: The ids and numbers of the recorded events.
    private static func live(
        _ device: String, through proxy: HTTPFaultProxy, key: String, seed: UInt64
    ) async throws -> [String] {
        let directory = FileManager.default.temporaryDirectory.appending(
            path: "afterpush-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: directory) }
        var dice = SeededGenerator(seed: seed ^ 0xFFFF)
        var recorded: [String] = []
        for start in 0..<4 {
            let client = try client(device, directory, proxy.port, key, batch: Int.random(in: 1...20, using: &dice))
            for _ in 0..<Int.random(in: 3...20, using: &dice) {
                let number = String(recorded.count + 1_000)
                let id = try await client.record(event(number, dice: &dice))
                recorded.append("\(try #require(id).uuidString.lowercased()) \(number)")
            }
            // The last process runs until everything is sent, the others for a random time.
            if start < 3 {
                await client.flush(within: Double.random(in: 0...0.2, using: &dice))
                continue
            }
            for _ in 0..<200 {
                if await client.flush(within: 5) == .completed { return recorded }
            }
        }
        Issue.record("seed \(seed): some events were not sent")
        return recorded
    }

    private static func client(
        _ device: String, _ directory: URL, _ port: Int, _ key: String, batch: Int
    ) throws -> AfterpushClient {
        var configuration = AfterpushConfiguration(
            url: try #require(URL(string: "http://127.0.0.1:\(port)")), key: key, directory: directory,
            deviceID: device)
        configuration.batchEvents = batch
        configuration.delay = 0.02
        configuration.firstRetryDelay = 0.01
        configuration.longestRetryDelay = 0.05
        configuration.requestTimeout = 10
        return AfterpushClient(configuration)
    }

    private static func event(_ number: String, dice: inout SeededGenerator) -> DeviceEvent {
        let notification = NotificationReference("n\(Int.random(in: 0..<5, using: &dice))", campaignID: "spring")
        var event: DeviceEvent =
            switch Int.random(in: 0..<5, using: &dice) {
            case 0: .opened(notification)
            case 1: .action("book", notification)
            case 2: .textInput("answer", text: "ça va 👋", notification)
            case 3: .converted("order", value: 12.5, currency: "EUR", notification)
            default: .appOpened
            }
        event.properties["number"] = .string(number)
        return event
    }
}
