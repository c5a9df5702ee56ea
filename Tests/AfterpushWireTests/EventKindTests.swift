import AfterpushWire
import Testing

@Suite struct EventKindTests {
    @Test func `the kinds and the order of their bits are those of the contract`() {
        let words = [
            "sent", "failed", "delivered", "displayed", "read", "opened", "action", "text_input", "dismissed",
            "converted", "replaced", "media_played", "media_paused", "attachment_failed", "extension_expired",
            "token_registered", "token_failed", "permission_granted", "permission_revoked", "app_opened",
        ]
        #expect(EventKind.allCases.map(\.rawValue) == words)
        #expect(EventKind.allCases.map(\.bit) == Array(0..<20))
    }

    @Test func `the last five kinds are about the device only`() {
        #expect(EventKind.allCases.filter(\.isAboutDevice) == Array(EventKind.allCases.suffix(5)))
    }
}
