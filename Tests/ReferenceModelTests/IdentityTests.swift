import Foundation
import ReferenceModel
import Testing

@Suite struct IdentityTests {
    @Test func `a repeated event changes nothing`() throws {
        let tap = tap("yes")
        let rows = try actions([event(.delivered), tap, tap])
        #expect(rows[0].counts("acted", "total") == [1, 1])
    }

    @Test func `the same id at another time is another event`() throws {
        let first = tap("yes")
        var second = first
        second.occurredAt += 1
        #expect(try actions([first, second])[0].counts("acted", "total") == [1, 2])
    }

    @Test func `the same id on another delivery is another event`() throws {
        let first = tap("yes")
        var second = first
        second.notificationID = "n2"
        #expect(try actions([first, second])[0].counts("acted", "total") == [2, 2])
    }

    @Test func `the first of two events with the same identity is kept`() throws {
        let first = event(.opened)
        var second = first
        second.kind = .dismissed
        #expect(try row([first, second]).counts("opened", "dismissed") == [1, 0])
        #expect(try row([second, first]).counts("opened", "dismissed") == [0, 1])
    }

    @Test func `a verified copy of an unverified event replaces it, whichever came first`() throws {
        let forged = event(.dismissed)
        var genuine = forged
        genuine.kind = .opened
        genuine.verified = true
        for events in [[forged, genuine], [genuine, forged]] {
            #expect(try row(events).counts("opened", "dismissed") == [1, 0])
            #expect(try row(events) { $0.verified = true }.counts("opened", "dismissed") == [1, 0])
        }
    }

    @Test func `one notification on two devices is two deliveries`() throws {
        let other = event(.opened) { $0.deviceID = "d2" }
        #expect(try row([event(.opened), other]).counts("opened") == [2])
    }

    @Test func `identifiers are compared by their bytes`() throws {
        let composed = event(.opened, "caf\u{E9}")
        let decomposed = event(.opened, "cafe\u{301}")
        #expect(try row([composed, decomposed]).counts("opened") == [2])
    }

    @Test func `events about the device only yield no delivery`() throws {
        let kinds = ModelKind.allCases.filter(\.isAboutDeviceAlone)
        let alone = kinds.map { event($0) { $0.notificationID = nil } }
        let stating = kinds.map { event($0) }
        #expect(kinds.count == 5)
        #expect(try rows(alone + stating) { $0.by = [.campaign] }.isEmpty)
    }

    @Test func `events of other apps are ignored`() throws {
        let other = event(.opened) { $0.app = "other" }
        #expect(try row([other]).counts("opened", "pending", "no_response") == [0, 0, 0])
    }
}
