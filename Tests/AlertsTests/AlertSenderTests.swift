import HTTPTransport
import Testing

@testable import Alerts

/// Tests which addresses webhooks may go to.
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
}
