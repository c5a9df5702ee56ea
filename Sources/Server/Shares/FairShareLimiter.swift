import Events
import HTTPTransport
import Ingest
import Shares
import Synchronization

/// A limit on a resource of the whole collector, such as memory or concurrent responses, with fair shares of it.
///
/// Everybody who takes a part of it does so with a `Permit`.
final class FairShareLimiter: Sendable {
    typealias Shares = FairShares<ResourceHolder>

    /// Returns on whose account a client takes something. Claims are checked in their order, so the broadest comes
    /// first: if it is refused, the resource is scarce for everybody, and the narrower ones are not to blame.
    private let claims: @Sendable (ResourceClient) -> [Shares.Claim]
    private let shares: Mutex<Shares>

    init(capacity: Int, claims: @escaping @Sendable (ResourceClient) -> [Shares.Claim]) {
        self.claims = claims
        shares = Mutex(Shares(capacity: capacity))
    }

    /// Creates a limit on what responses of one kind take: their number, or the bytes of their documents.
    ///
    /// One app can have three quarters of them, one key half, and one address three quarters. The links that share a view
    /// of an app are together one key, because anybody who reads the app's reports can make more of them.
    static func responses(_ capacity: Int) -> FairShareLimiter {
        FairShareLimiter(capacity: capacity) { client in
            var claims: [Shares.Claim] = []
            if let app = client.appID { claims.append(.init(holder: .app(app), share: capacity * 3 / 4)) }
            if let key = client.key { claims.append(.init(holder: key, share: capacity / 2)) }
            if let address = client.address { claims.append(.init(holder: .address(address), share: capacity * 3 / 4)) }
            return claims
        }
    }

    /// Creates a limit on what requests with events take.
    ///
    /// | holder | share while no other holder has any |
    /// | --- | --- |
    /// | all public clients: ingest keys, and log-ins without a key | 7/8, so that secret keys have a reserve |
    /// | an app, with any number of keys | 3/4, or `key` if that is more |
    /// | a key, and together all clients whose key is not known yet, because it is in the body | `key` |
    /// | an address of a public client, unless it is exempt | 1/8, with one key as with several |
    ///
    /// The addresses that use a key divide its share among them, so that a few of them can't take all of it.
    ///
    /// - Parameters:
    ///   - key: the share of a key.
    ///   - largest: what the largest request takes. No share is smaller.
    ///   - small: what an address can have even if others use most of its key's share.
    static func events(_ capacity: Int, key: Int, largest: Int, small: Int) -> FairShareLimiter {
        let (publicClients, address) = (max(capacity / 8 * 7, largest), max(capacity / 8, largest))
        let app = max(capacity / 4 * 3, key, largest)
        return FairShareLimiter(capacity: capacity) { client in
            var claims: [Shares.Claim] = []
            claims.reserveCapacity(4)
            if client.isPublic { claims.append(.init(holder: .publicClients, share: publicClients)) }
            if let id = client.appID { claims.append(.init(holder: .app(id), share: app)) }
            // The requests with a secret key come from few servers of its owner, so their addresses need no shares.
            let subscriber = client.isPublic ? client.address : nil
            let part = subscriber.map {
                Shares.Part(holder: .addressWithKey($0, key: client.keyID), share: address, small: small)
            }
            claims.append(.init(holder: .key(client.keyID), share: max(key, largest), part: part))
            if let subscriber { claims.append(.init(holder: .address(subscriber), share: address)) }
            return claims
        }
    }

    /// What is reserved in all.
    var used: Int { shares.withLock { $0.used } }

    /// Returns a permit that has nothing yet.
    func permit(for client: ResourceClient) -> Permit {
        Permit(self, claims(client))
    }

    /// Returns a permit for one of the concurrent responses, or for as much as one takes.
    ///
    /// - Throws: the problem, with whose share it is that is used up.
    func acquire(
        _ count: Int = 1, for client: ResourceClient, orThrow problem: Problem
    ) throws(Problem) -> Permit {
        let permit = permit(for: client)
        do throws(Shares.Refusal) {
            try permit.take(count)
        } catch {
            throw problem.explained(by: error)
        }
        return permit
    }

    /// Whether a client could take so much now.
    func canTake(_ count: Int, for client: ResourceClient) -> Bool {
        let claims = claims(client)
        return shares.withLock { $0.canTake(count, for: claims) }
    }

    /// What one request has reserved. It is released at the latest with the last reference to the permit, because a
    /// request can end anywhere, and the body of a response may never be read.
    final class Permit: Sendable {
        private let limiter: FairShareLimiter
        private let claims: [Shares.Claim]
        private let held = Atomic(0)

        fileprivate init(_ limiter: FairShareLimiter, _ claims: [Shares.Claim]) {
            self.limiter = limiter
            self.claims = claims
        }

        deinit { release() }

        /// Takes more, or throws and takes nothing.
        func take(_ count: Int) throws(Shares.Refusal) {
            let result = limiter.shares.withLock { shares in
                Result { () throws(Shares.Refusal) in try shares.take(count, for: claims) }
            }
            try result.get()
            held.add(count, ordering: .relaxed)
        }

        /// Leaves what was taken reserved for as long as the limiter exists.
        func keep() { held.store(0, ordering: .relaxed) }

        /// Releases everything that was taken.
        func release() {
            let count = held.exchange(0, ordering: .relaxed)
            if count > 0 { limiter.shares.withLock { $0.release(count, of: claims) } }
        }
    }
}

/// Those on whose account a resource is reserved.
enum ResourceHolder: Hashable, Sendable {
    /// All clients that anyone could be: those with an ingest key, which is public, and those without a key.
    case publicClients
    case app(Int32)
    /// A key, or `nil` for all clients without one.
    case key(Int32?)
    /// All links that share a view of this app.
    case links(app: Int32)
    /// An address, or its network if limits apply to that.
    case address(ClientAddress)
    /// An address, as far as it uses this key.
    case addressWithKey(ClientAddress, key: Int32?)
}

extension Problem {
    /// Returns the same problem with a text that says whose share is used up.
    func explained(by refusal: FairShareLimiter.Shares.Refusal) -> Problem {
        var problem = self
        switch refusal {
        case .full, .share(of: .publicClients): break
        case .share(of: .app): problem.detail += " for this app"
        case .share(of: .key(nil)): problem.detail += " for clients without a key"
        case .share(of: .links): problem.detail += " for the links of this app"
        case .share(of: .key): problem.detail += " for this key"
        case .share(of: .address), .share(of: .addressWithKey): problem.detail += " for this address"
        }
        return problem
    }
}

/// The client of a request, as resources are shared among them.
struct ResourceClient: Sendable {
    let appID: Int32?
    let keyID: Int32?
    /// Who has the share of a key, or `nil` without one.
    let key: ResourceHolder?
    /// Whether the client has no key that is a secret.
    let isPublic: Bool
    /// The address to which limits apply, or `nil` if it is exempt from them.
    let address: ClientAddress?

    /// Creates the client of a request.
    ///
    /// - Parameter grant: what its key grants, or `nil` without a key.
    init(_ grant: APIKeyGrant?, address: ClientAddress?) {
        appID = grant?.appID
        keyID = grant?.keyID
        key = grant.map { $0.sharedView == nil ? .key($0.keyID) : .links(app: $0.appID) }
        isPublic = grant.map { $0.scope == .ingest } ?? true
        self.address = address?.subscriber
    }
}
