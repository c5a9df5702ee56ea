import Events
import Ingest
import Synchronization
import Testing

@testable import HTTPTransport
@testable import Server

/// Tests the shares of the spool, with its default size of 256 MiB and bodies of up to 5 MiB.
@Suite struct SpoolSharesTests {
    private let mebibyte = 1 << 20
    private let isSpooling = Flag(true)

    private final class Flag: Sendable {
        private let state: Mutex<Bool>
        init(_ value: Bool) { state = Mutex(value) }
        var value: Bool {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    private func makeShares() -> SpoolShares {
        SpoolShares(capacity: 256 * mebibyte, largestBody: 5 * mebibyte, size: { $0 }) { [isSpooling] in
            isSpooling.value
        }
    }

    private func client(key: Int32, _ scope: Scope = .ingest, at number: UInt32? = nil) -> ResourceClient {
        ResourceClient(
            APIKeyGrant(keyID: key, appID: key, appName: "", scope: scope),
            address: number.map(ClientAddress.init(v4:)))
    }

    /// Spools bodies of a mebibyte until one is refused, and returns how many were spooled.
    private func fill(_ shares: SpoolShares, _ client: ResourceClient) -> Int {
        for count in 0... {
            do {
                shares.keep(try shares.reserve(mebibyte, for: client), mebibyte, for: client)
            } catch {
                return count
            }
        }
        return 0
    }

    @Test func `a device fills an eighth of the spool, and an app with one key most of it`() throws {
        let shares = makeShares()
        #expect(fill(shares, client(key: 1, at: 1)) == 32)
        // With what the address has, three quarters.
        #expect(fill(shares, client(key: 1)) == 160)
        // Others still have room.
        #expect(try shares.reserve(mebibyte, for: client(key: 2, at: 2)) != nil)
        #expect(try shares.reserve(5 * mebibyte, for: client(key: 3, .send)) != nil)
    }

    @Test func `what was not spooled takes no room`() throws {
        let shares = makeShares()
        for _ in 0..<1_000 { #expect(try shares.reserve(mebibyte, for: client(key: 1, at: 1)) != nil) }
        isSpooling.value = false
        #expect(try shares.reserve(mebibyte, for: client(key: 1, at: 1)) == nil)
    }

    @Test func `bodies that were spooled before the outage was known count, too`() throws {
        let shares = makeShares()
        for _ in 0..<40 { shares.keep(nil, mebibyte, for: client(key: 1, at: 1)) }
        #expect(throws: FairShareLimiter.Shares.Refusal.self) {
            try shares.reserve(mebibyte, for: client(key: 1, at: 1))
        }
    }

    @Test func `all of the spool is free again once it is empty, whoever still waits for an answer`() throws {
        let shares = makeShares()
        let waiting = try #require(try shares.reserve(mebibyte, for: client(key: 1, at: 1)))
        #expect(fill(shares, client(key: 1, at: 1)) == 31)
        shares.reset()
        waiting.release()
        #expect(fill(shares, client(key: 1, at: 1)) == 32)
    }
}
