import Events
import Ingest
import SeededRandom
import Shares
import Testing

@testable import HTTPTransport
@testable import Server

/// Tests how bounded resources are divided.
struct FairSharesTests {
    private typealias Shares = FairShares<String>

    private func claims(_ shares: KeyValuePairs<String, Int>) -> [Shares.Claim] {
        shares.map { Shares.Claim(holder: $0.key, share: $0.value) }
    }

    /// Takes one at a time until it is refused, and returns how many were taken, and why no more.
    private func fill(_ shares: inout Shares, _ claims: [Shares.Claim]) -> (count: Int, refusal: Shares.Refusal?) {
        for count in 0...shares.capacity {
            do throws(Shares.Refusal) { try shares.take(1, for: claims) } catch { return (count, error) }
        }
        return (.max, nil)
    }

    @Test(arguments: [(4, 16), (8, 16), (12, 16), (1, 2), (4, 8), (64, 128), (96, 128), (128, 128), (500, 128)])
    func `a lone holder gets exactly its share`(share: Int, capacity: Int) {
        var shares = Shares(capacity: capacity)
        let (count, refusal) = fill(&shares, claims(["a": share]))
        #expect(count == min(share, capacity))
        #expect(refusal == (share < capacity ? .share(of: "a") : .full))
        #expect(shares.used == count && shares.held(by: "a") == count)
    }

    @Test func `each further greedy holder gets less, and a new one always finds something`() {
        var shares = Shares(capacity: 16)
        var counts: [Int] = []
        for number in 0..<20 {
            #expect((shares.used < 16) == shares.canTake(1, for: claims(["new": 8])))
            counts.append(fill(&shares, claims(["app \(number)": 8])).count)
        }
        #expect(counts.prefix(6) == [8, 4, 2, 1, 1, 0], "\(counts)")
        // As the first ones release theirs, they can't take them again before the others have as many.
        shares.release(4, of: claims(["app 0": 8]))
        #expect(fill(&shares, claims(["app 0": 8])).count == 0)
        #expect(fill(&shares, claims(["app 5": 8])).count == 2)
    }

    @Test func `the narrowest share that is used up is the reason, and a refusal changes nothing`() throws {
        var shares = Shares(capacity: 100)
        let one = claims(["app": 75, "key": 50, "address": 25])
        try shares.take(25, for: one)
        #expect(throws: Shares.Refusal.share(of: "address")) { try shares.take(1, for: one) }
        let other = claims(["app": 75, "key": 50, "other address": 25])
        #expect(shares.held(by: "key") == 25 && shares.held(by: "other address") == 0 && shares.holders == 3)
        try shares.take(19, for: other)
        #expect(throws: Shares.Refusal.share(of: "other address")) { try shares.take(1, for: other) }
        #expect(throws: Shares.Refusal.share(of: "key")) { try shares.take(8, for: claims(["app": 75, "key": 50])) }
        #expect(throws: Shares.Refusal.full) { try shares.take(58, for: claims(["new": 100])) }
        // Nobody with a quarter gets twenty now, so it is not this holder's fault.
        #expect(throws: Shares.Refusal.full) { try shares.take(20, for: claims(["new": 25])) }
        shares.release(25, of: one)
        shares.release(19, of: other)
        #expect(shares.used == 0 && shares.holders == 0)
    }

    @Test func `all links of an app have the share of one key, and leave reports to its keys and to other apps`() throws
    {
        let limiter = FairShareLimiter.responses(16)
        func client(_ id: Int32, app: Int32 = 1, view: String? = nil) -> ResourceClient {
            let grant = APIKeyGrant(keyID: id, appID: app, appName: "", scope: .read, sharedView: view)
            return ResourceClient(grant, address: nil)
        }
        var permits: [FairShareLimiter.Permit] = []
        var refused: Problem?
        for round in 0..<16 {
            for link in 1...4 as ClosedRange<Int32> {
                do throws(Problem) {
                    permits.append(try limiter.acquire(for: client(-link, view: "/"), orThrow: .reportsTooMany))
                } catch {
                    refused = error
                }
            }
            #expect(permits.count <= 8, "\(round)")
        }
        #expect(permits.count == 8 && refused?.detail == "too many concurrent reports for the links of this app")
        permits.append(try limiter.acquire(for: client(1), orThrow: .reportsTooMany))
        permits.append(try limiter.acquire(for: client(2), orThrow: .reportsTooMany))
        permits.append(try limiter.acquire(for: client(-9, app: 2, view: "/"), orThrow: .reportsTooMany))
        permits.removeAll()
        #expect(limiter.used == 0)
    }

    @Test(arguments: [8, 24, 200] as [Int32], [true, false])
    func `an app with many keys leaves memory to a new device of another, and a place for its event`(
        keys: Int32, arePublic: Bool
    ) throws {
        let limiters = [
            FairShareLimiter.events(64 << 20, key: 32 << 20, largest: 5 << 20, small: 16 << 10),
            FairShareLimiter.events(60_000, key: 45_000, largest: 10_000, small: 100),
        ]
        for (limiter, needed) in zip(limiters, [32 << 10, 100]) {
            var permits: [FairShareLimiter.Permit] = []
            for key in 1...keys {
                let grant = APIKeyGrant(keyID: key, appID: 1, appName: "", scope: arePublic ? .ingest : .send)
                // Each key from an address of its own, in pieces that get smaller as it is refused.
                let permit = limiter.permit(
                    for: ResourceClient(grant, address: ClientAddress(v4: UInt32(key) << 8)))
                var piece = 5 << 20
                while piece > 0 {
                    do { try permit.take(piece) } catch { piece /= 2 }
                }
                permits.append(permit)
            }
            let device = ResourceClient(
                APIKeyGrant(keyID: 0, appID: 2, appName: "", scope: .ingest), address: ClientAddress(v4: 1))
            #expect(limiter.canTake(needed, for: device), "\(limiter.used) in use")
            permits.removeAll()
        }
    }

    @Test func `any capacity and any share can be compared`() throws {
        var shares = Shares(capacity: .max)
        let claims = claims(["a": Int.max / 8, "b": Int.max])
        try shares.take(Int.max / 8, for: claims)
        #expect(throws: Shares.Refusal.share(of: "a")) { try shares.take(1, for: claims) }
        #expect(shares.canTake(Int.max / 8 * 7, for: []))
    }

    @Test func `a few addresses of a key leave something of its share for a new one`() throws {
        var shares = Shares(capacity: 6_400)
        func claims(_ address: Int, key: String = "key") -> [Shares.Claim] {
            let part = Shares.Part(holder: "\(address) with \(key)", share: 800, small: 2)
            return [Shares.Claim(holder: key, share: 3_200, part: part)]
        }
        #expect(fill(&shares, claims(0)).count == 800, "alone, an address has its share")
        #expect(fill(&shares, claims(0)).refusal == .share(of: "0 with key"))
        for address in 1..<40 { _ = fill(&shares, claims(address)) }
        let held = shares.held(by: "key")
        #expect((2_800...2_880).contains(held), "an eighth is reserved for small parts: \(held)")
        #expect(throws: Shares.Refusal.share(of: "key")) { try shares.take(200, for: claims(100)) }
        // Those of another key make the share of this one smaller than what it has.
        for address in 0..<40 { _ = fill(&shares, claims(address, key: "other")) }
        #expect(shares.used - shares.held(by: "key") > 1_400 && shares.capacity - shares.used < held)
        for address in 100..<280 { try shares.take(2, for: claims(address)) }
        #expect(throws: Shares.Refusal.share(of: "key")) { try shares.take(1, for: claims(100)) }
        for address in 280..<400 { _ = try? shares.take(2, for: claims(address)) }
        #expect((3_199...3_200).contains(shares.held(by: "key")), "small parts fill the share and do not exceed it")
    }

    /// Random requests take, grow, end and are abandoned; a ledger beside them knows what each of them has.
    @Test(arguments: 0..<40)
    func `in any order of requests, shares hold and everything is released once`(seed: Int) throws {
        typealias Permit = FairShareLimiter.Permit
        var random = SeededGenerator(seed: UInt64(seed))
        let capacity = random.one(of: 8, 16, 128, 1 << 20)
        let slots = capacity <= 128
        let small = 256
        let limiter =
            slots
            ? FairShareLimiter.responses(capacity)
            : FairShareLimiter(capacity: capacity) { client in
                var claims: [FairShareLimiter.Shares.Claim] = []
                if client.isPublic { claims.append(.init(holder: .publicClients, share: capacity / 8 * 7)) }
                let address = client.isPublic ? client.address : nil
                if let key = client.keyID {
                    let part = address.map {
                        FairShareLimiter.Shares.Part(
                            holder: .addressWithKey($0, key: key), share: capacity / 8, small: small)
                    }
                    claims.append(.init(holder: .key(key), share: capacity / 2, part: part))
                }
                if let address { claims.append(.init(holder: .address(address), share: capacity / 8)) }
                return claims
            }
        func device(_ key: Int32, _ address: UInt32) -> ResourceClient {
            ResourceClient(
                APIKeyGrant(keyID: key, appID: key % 3, appName: "", scope: .ingest),
                address: ClientAddress(v4: address))
        }
        struct Request {
            let client: ResourceClient
            let permit: Permit
            var count: Int
        }
        var ledger: [Request] = []
        func held(_ isHolder: (ResourceClient) -> Bool) -> Int {
            ledger.reduce(0) { isHolder($1.client) ? $0 + $1.count : $0 }
        }
        var refusals = 0
        for _ in 0..<600 {
            switch random.number(0...9) {
            case 0...4:
                let key = Int32(random.number(1...5))
                let grant = APIKeyGrant(
                    keyID: key, appID: key % 3, appName: "", scope: key == 5 ? .send : .ingest)
                let address = random.happens(percent: 20) ? nil : ClientAddress(v4: UInt32(random.number(1...9)))
                let client = ResourceClient(random.happens(percent: 95) ? grant : nil, address: address)
                ledger.append(Request(client: client, permit: limiter.permit(for: client), count: 0))
                fallthrough
            case 5...6:
                // The newest, or any that grows.
                guard !ledger.isEmpty else { break }
                let index = random.happens(percent: 60) ? ledger.count - 1 : random.number(0...ledger.count - 1)
                let count = slots ? 1 : random.number(1...(random.happens(percent: 10) ? capacity / 4 : 4_096))
                let couldTake = limiter.canTake(count, for: ledger[index].client)
                do {
                    try ledger[index].permit.take(count)
                    ledger[index].count += count
                    #expect(couldTake)
                } catch {
                    refusals += 1
                    #expect(!couldTake)
                }
            case 7...8:
                guard !ledger.isEmpty else { break }
                let index = random.number(0...ledger.count - 1)
                let permit = ledger.remove(at: index).permit
                // Once, however often it is called, and as well if only the last reference goes.
                if random.happens(percent: 50) { for _ in 0..<random.number(1...3) { permit.release() } }
            default:
                // A request that has nothing any more can take again.
                guard !ledger.isEmpty else { break }
                let index = random.number(0...ledger.count - 1)
                ledger[index].permit.release()
                ledger[index].count = 0
            }
            #expect(limiter.used == ledger.reduce(0) { $0 + $1.count })
            #expect(limiter.used <= capacity)
            for key in Int32(1)...5 { #expect(held { $0.keyID == key } <= capacity / 2) }
            for address in (UInt32(1)...9).map(ClientAddress.init(v4:)) {
                let share = slots ? capacity / 4 * 3 : capacity / 8
                #expect(held { $0.address == address && (slots || $0.isPublic) } <= share)
            }
            if slots {
                for app in Int32(0)...2 { #expect(held { $0.appID == app } <= capacity / 4 * 3) }
            } else {
                #expect(held(\.isPublic) <= capacity / 8 * 7)
                var totals: [Int32: [ClientAddress: Int]] = [:]
                for request in ledger {
                    guard let key = request.client.keyID, let address = request.client.address else { continue }
                    totals[key, default: [:]][address, default: 0] += request.count
                }
                for key in Int32(1)...4 {
                    let parts = totals[key, default: [:]].values
                    #expect(parts.filter { $0 > small }.reduce(0, +) <= capacity / 16 * 7)
                    // A new address of the key gets a small part, unless the key or the whole has none left.
                    let free = capacity - limiter.used - small
                    let hasRoom =
                        held { $0.keyID == key } + small <= capacity / 2 && small * 7 <= free
                        && held(\.isPublic) + small <= 7 * free
                    #expect(!hasRoom || limiter.canTake(small, for: device(key, 100)))
                }
            }
        }
        #expect(refusals > 0)
        ledger = []
        #expect(limiter.used == 0)
    }
}
