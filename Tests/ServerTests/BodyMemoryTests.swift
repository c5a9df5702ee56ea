import Events
import Ingest
import Testing

@testable import HTTPTransport
@testable import Server

/// Tests the shares of the memory for bodies, with the default limits of 64 MiB and 5 MiB.
struct BodyMemoryTests {
    private let mebibyte = 1 << 20

    private func client(key: Int32, _ scope: Scope = .ingest, at number: UInt32?) -> ResourceClient {
        ResourceClient(
            APIKeyGrant(keyID: key, appID: key, appName: "", scope: scope),
            address: number.map(ClientAddress.init(v4:)))
    }

    /// Takes memory in pieces until it is refused, and returns how much it is, to 64 KiB.
    private func fill(_ permit: FairShareLimiter.Permit) -> Int {
        var count = 0
        while (try? permit.take(64 * 1024)) != nil { count += 64 * 1024 }
        return count
    }

    @Test func `one address can't take what other devices of its app need`() throws {
        let memory = BodyMemory(HTTPLimits())
        let greedy = (0..<28).map { _ in memory.permit(for: client(key: 1, at: 1)) }
        #expect(greedy.reduce(0) { $0 + fill($1) } == 8 * mebibyte)
        for other in [client(key: 1, at: 2), client(key: 2, at: 2), client(key: 3, .send, at: 1)] {
            let permit = memory.permit(for: other)
            try permit.take(5 * mebibyte)
        }
        #expect(!memory.isExhausted)
    }

    @Test(arguments: [7, 8, 30, 250])
    func `addresses that use a key leave memory to other addresses that use it`(count: Int) throws {
        let memory = BodyMemory(HTTPLimits())
        // As many of another app make both keys' shares smaller.
        let greedy = [Int32(1), 2].flatMap { key in
            (0..<count).map { memory.permit(for: client(key: key, at: UInt32(1_000 * Int(key) + $0))) }
        }
        for permit in greedy { _ = fill(permit) }
        let others = (0..<100).map { memory.permit(for: client(key: 1, at: UInt32($0))) }
        for permit in others { try permit.take(16 * 1024) }
        #expect(!memory.isExhausted)
    }

    @Test func `a new address of a key that few others use can send a large body`() throws {
        let memory = BodyMemory(HTTPLimits())
        let greedy = (0..<8).map { memory.permit(for: client(key: 1, at: UInt32($0))) }
        for permit in greedy { while (try? permit.take(4 * mebibyte)) != nil {} }
        try memory.permit(for: client(key: 1, at: 100)).take(mebibyte)
    }

    @Test func `one ingest key leaves half of the memory, from however many addresses it is used`() throws {
        let memory = BodyMemory(HTTPLimits())
        let greedy = (0..<200).map { memory.permit(for: client(key: 1, at: UInt32($0))) }
        let held = greedy.reduce(0) { $0 + fill($1) }
        #expect((27 * mebibyte...32 * mebibyte).contains(held), "\(held)")
        try memory.permit(for: client(key: 2, at: 1_000)).take(mebibyte)
        #expect(!memory.isExhausted)
    }

    @Test func `clients whose key is not known yet leave half of the memory, from however many addresses`() throws {
        let memory = BodyMemory(HTTPLimits())
        let greedy = (0..<200).map { memory.permit(for: ResourceClient(nil, address: ClientAddress(v4: UInt32($0)))) }
        let held = greedy.reduce(0) { $0 + fill($1) }
        #expect((27 * mebibyte...32 * mebibyte).contains(held), "\(held)")
        try memory.permit(for: client(key: 2, at: 1_000)).take(mebibyte)
        #expect(!memory.isExhausted)
    }

    @Test func `however many ingest keys there are, secret keys have a reserve`() throws {
        let memory = BodyMemory(HTTPLimits())
        let greedy = (0..<2_000).map { memory.permit(for: client(key: Int32($0 % 40), at: UInt32($0))) }
        let held = greedy.reduce(0) { $0 + fill($1) }
        #expect((54 * mebibyte...56 * mebibyte).contains(held), "\(held)")
        #expect(memory.isExhausted, "a new device can't send")
        for key in Int32(100)...101 { try memory.permit(for: client(key: key, .send, at: 1)).take(2 * mebibyte) }
        for permit in greedy { permit.release() }
        #expect(!memory.isExhausted)
    }

    @Test func `an exempt address is limited by its key alone`() {
        let memory = BodyMemory(HTTPLimits())
        #expect(fill(memory.permit(for: client(key: 1, at: nil))) == 32 * mebibyte)
    }

    @Test func `no share is smaller than a body, however little memory there is`() throws {
        var limits = HTTPLimits()
        limits.bodyMemory = limits.bodyBytes
        try BodyMemory(limits).permit(for: client(key: 1, at: 1)).take(limits.bodyBytes)
        limits.bodyMemory = 2 * limits.bodyBytes
        try BodyMemory(limits).permit(for: client(key: 1, at: 1)).take(limits.bodyBytes)
    }

    @Test func `log-ins need no key and share the memory by address`() throws {
        let memory = BodyMemory(HTTPLimits())
        let greedy = memory.permit(for: ResourceClient(nil, address: ClientAddress(v4: 1)))
        #expect(fill(greedy) == 8 * mebibyte)
        try memory.permit(for: ResourceClient(nil, address: ClientAddress(v4: 2))).take(8 * 1024)
    }
}
