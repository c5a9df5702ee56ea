import Foundation
import HTTPTransport
import TestSupport
import Testing

@testable import Alerts

/// Tests which addresses webhooks may go to, and what an attempt may take.
struct AlertSenderTests {
    @Test(arguments: [
        "127.0.0.1", "10.1.2.3", "172.31.255.255", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "::", "::1", "fe80::1", "fd00::1", "ff02::1",
        // Addresses of IPv6 that stand for one of IPv4: mapped, compatible, translated, and behind gateways.
        "::ffff:127.0.0.1", "::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b:1::7f00:1",
        "2002:7f00:1::",
    ])
    func `an address of this machine or network is not public, however it is written`(text: String) throws {
        #expect(AddressList.notPublic.contains(try #require(ClientAddress(text: text))))
    }

    @Test(arguments: ["1.1.1.1", "172.32.0.1", "192.0.1.1", "2606:4700::1111", "2a00::1"])
    func `other addresses are public`(text: String) throws {
        #expect(!AddressList.notPublic.contains(try #require(ClientAddress(text: text))))
    }

    private let message = OutgoingMessage(id: UUID(), subject: "", body: "{}", secret: [1])

    private func sender(timeout: Duration = .seconds(10)) throws -> AlertSender {
        var configuration = AlertSenderConfiguration()
        configuration.allowed = try AddressList("127.0.0.0/8")
        configuration.timeout = timeout
        return AlertSender(configuration)
    }

    @Test func `an attempt that takes too long has failed, and is made again later or given up`() async throws {
        let receiver = try WebhookReceiver { _, _ in .nothing }
        defer { receiver.close() }
        let destination = AlertDestination(kind: .webhook, target: receiver.url)
        // The sender's own limit is what libcurl can exceed.
        let result = try await sender(timeout: .seconds(5)).send(
            message, to: destination, within: .milliseconds(100))
        #expect(result == .failed("it took too long"))
        let end = AttemptEnd(result, attempts: 3, age: .seconds(60), random: 0.5)
        #expect(end.outcome == nil && end.pause > 0 && end.problem == "it took too long")
        #expect(AttemptEnd(result, attempts: 30, age: .seconds(4 * 86_400), random: 0.5).outcome == .gaveUp)
    }

    @Test func `a response with more than 64 KiB of headers ends the attempt`() async throws {
        let receiver = try WebhookReceiver { path, _ in .hints(bytes: path == "/long" ? 128 * 1024 : 32 * 1024) }
        defer { receiver.close() }
        let sender = try sender()
        let short = AlertDestination(kind: .webhook, target: receiver.url + "/short")
        #expect(await sender.send(message, to: short) == .delivered)
        let long = AlertDestination(kind: .webhook, target: receiver.url + "/long")
        let result = await sender.send(message, to: long)
        #expect(result != .delivered)
    }
}
