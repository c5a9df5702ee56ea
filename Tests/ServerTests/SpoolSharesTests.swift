import EventSamples
import Events
import Ingest
import Shares
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
        SpoolShares(
            capacity: 256 * mebibyte, largestBody: 5 * mebibyte, size: { [mebibyte] _ in mebibyte },
            isSpooling: { [isSpooling] in isSpooling.value })
    }

    private func client(key: Int32, _ scope: Scope = .ingest, at number: UInt32? = nil) -> ResourceClient {
        ResourceClient(
            APIKeyGrant(keyID: key, appID: key, appName: "", scope: scope),
            address: number.map(ClientAddress.init(v4:)))
    }

    /// A request, of which each takes a mebibyte here.
    private func request() throws -> PendingSubmission {
        PendingSubmission(try Submission.read(Array("[]".utf8), as: .json), Sample.context())
    }

    /// Spools requests until one is refused, and returns how many were spooled.
    private func fill(_ shares: SpoolShares, _ client: ResourceClient) throws -> Int {
        let request = try request()
        var count = 0
        while let permit = try? shares.reserve(request, for: client) {
            shares.keep(permit, request, for: client)
            count += 1
        }
        return count
    }

    @Test func `a device fills an eighth of the spool, and an app with one key most of it`() throws {
        let shares = makeShares()
        #expect(try fill(shares, client(key: 1, at: 1)) == 32)
        // With what the address has, three quarters.
        #expect(try fill(shares, client(key: 1)) == 160)
        // Others still have room.
        #expect(try shares.reserve(request(), for: client(key: 2, at: 2)) != nil)
        #expect(try shares.reserve(request(), for: client(key: 3, .send)) != nil)
    }

    @Test func `what was not spooled takes no room`() throws {
        let shares = makeShares()
        for _ in 0..<1_000 { #expect(try shares.reserve(request(), for: client(key: 1, at: 1)) != nil) }
        isSpooling.value = false
        #expect(try shares.reserve(request(), for: client(key: 1, at: 1)) == nil)
    }

    @Test func `bodies that were spooled before the outage was known count, too`() throws {
        let shares = makeShares()
        for _ in 0..<40 { shares.keep(nil, try request(), for: client(key: 1, at: 1)) }
        #expect(throws: FairShareLimiter.Shares.Refusal.self) {
            try shares.reserve(request(), for: client(key: 1, at: 1))
        }
    }

    @Test func `all of the spool is free again once it is empty, whoever still waits for an answer`() throws {
        let shares = makeShares()
        let waiting = try #require(try shares.reserve(request(), for: client(key: 1, at: 1)))
        #expect(try fill(shares, client(key: 1, at: 1)) == 31)
        shares.reset()
        waiting.release()
        #expect(try fill(shares, client(key: 1, at: 1)) == 32)
    }
}
