/// A bounded resource that is divided among its holders, so that none of them can starve the others.
///
/// A reservation names everyone on whose account it is: its app, its key, its address. Each of them has a share, which
/// is the most that one holder can have while nobody else has anything. The fuller the resource, the smaller the shares:
/// after each reservation, a holder has at most `share / (capacity - share)` times what is then still free, where the
/// unit taken last counts as free. So a share of a half is "as much as is still free". These are the dynamic thresholds
/// by which network switches divide their buffers (Choudhury and Hahne, 1998). They have three properties:
///
/// - Few holders can use most of the resource, so nothing is set aside for holders that don't exist.
/// - Many greedy holders leave something free for a new one, whereas fixed shares would be used up by a few.
/// - No reservation is ever taken back, and nobody waits.
///
/// This value only counts. Its users put it behind a lock, and release what was abandoned.
package struct FairShares<Holder: Hashable & Sendable>: Sendable {
    /// A holder, on whose account something is reserved, and its share.
    package struct Claim: Sendable {
        package let holder: Holder
        /// The most that the holder can have. A share of the whole capacity is no limit.
        let share: Int
        /// The holder of a part of this share, if the share is divided in turn.
        package var part: Part?

        package init(holder: Holder, share: Int, part: Part? = nil) {
            self.holder = holder
            self.share = share
            self.part = part
        }
    }

    /// A holder of a part of another holder's share, such as an address that uses a key.
    ///
    /// The share is divided by the same rule as the whole capacity. An eighth of it is reserved for small parts.
    package struct Part: Sendable {
        let holder: Holder
        /// The most that the holder can have of the other's share.
        let share: Int
        /// What the holder can have in any case, unless the other's share or the whole capacity is used up.
        let small: Int

        package init(holder: Holder, share: Int, small: Int) {
            self.holder = holder
            self.share = share
            self.small = small
        }
    }

    /// The reason why nothing was reserved.
    package enum Refusal: Error, Equatable {
        /// So much is in use that even a holder without a reservation gets no more than this.
        case full
        /// The holder already has what it can have for now, while others can still get something.
        case share(of: Holder)
    }

    package let capacity: Int
    /// What is reserved in all.
    package private(set) var used = 0
    /// What each holder has. Holders without a reservation have no entry.
    private var held: [Holder: Int] = [:]

    package init(capacity: Int) {
        self.capacity = capacity
    }

    package var holders: Int { held.count }

    package func held(by holder: Holder) -> Int { held[holder] ?? 0 }

    /// Reserves a part until `release`, on the account of all claims, or throws and changes nothing.
    package mutating func take(_ count: Int, for claims: [Claim]) throws(Refusal) {
        guard count > 0 else { return }
        guard count <= capacity - used else { throw .full }
        let free = capacity - used - count
        for (index, claim) in claims.enumerated() {
            // One look into the dictionary for both reading and writing.
            let total = Self.add(count, to: &held[claim.holder, default: 0])
            let part = claim.part.map { Self.add(count, to: &held[$0.holder, default: 0]) } ?? 0
            guard let refusal = refusal(of: count, claim, total: total, part: part, free: free) else { continue }
            for claim in claims[...index] { subtract(count, from: claim) }
            throw refusal
        }
        used += count
    }

    /// Whether `take` of at least one would succeed now.
    package func canTake(_ count: Int, for claims: [Claim]) -> Bool {
        let free = capacity - used - count
        return free >= 0
            && claims.allSatisfy { claim in
                let part = claim.part.map { held(by: $0.holder) + count } ?? 0
                let total = held(by: claim.holder) + count
                return refusal(of: count, claim, total: total, part: part, free: free) == nil
            }
    }

    /// Releases a part that was taken for the same claims.
    package mutating func release(_ count: Int, of claims: [Claim]) {
        for claim in claims { subtract(count, from: claim) }
        used -= count
    }

    /// Returns why a claim does not allow these totals, in which the count is included, while so much is free.
    private func refusal(of count: Int, _ claim: Claim, total: Int, part: Int, free: Int) -> Refusal? {
        if let small = claim.part?.small, part <= small, total <= claim.share { return nil }
        guard Self.allows(total, claim.share, of: capacity, free: free) else {
            return Self.allows(count, claim.share, of: capacity, free: free) ? .share(of: claim.holder) : .full
        }
        guard let inner = claim.part else { return nil }
        let reserve = claim.share / 8
        let left = room(total, claim.share, free: free) - reserve
        let size = claim.share - reserve
        if Self.allows(part, inner.share, of: size, free: left) { return nil }
        return .share(of: Self.allows(count, inner.share, of: size, free: left) ? inner.holder : claim.holder)
    }

    /// How much more a holder with this share and this total could take now, if it were the only one to take more.
    private func room(_ total: Int, _ share: Int, free: Int) -> Int {
        let allowed = Int128(share) * Int128(free + 1) - Int128(total) * Int128(capacity - share)
        return Int(allowed / Int128(capacity))
    }

    /// Whether a holder with this share of a capacity can have this total while so much is free.
    private static func allows(_ total: Int, _ share: Int, of capacity: Int, free: Int) -> Bool {
        guard share < capacity else { return true }
        // Twice as wide, because a capacity in bytes can be any integer.
        let (wanted, allowed) = (
            total.multipliedFullWidth(by: capacity - share), share.multipliedFullWidth(by: free + 1)
        )
        return (wanted.high, wanted.low) <= (allowed.high, allowed.low)
    }

    private static func add(_ count: Int, to total: inout Int) -> Int {
        total += count
        return total
    }

    private mutating func subtract(_ count: Int, from claim: Claim) {
        subtract(count, from: claim.holder)
        if let part = claim.part { subtract(count, from: part.holder) }
    }

    private mutating func subtract(_ count: Int, from holder: Holder) {
        guard let index = held.index(forKey: holder) else { return }
        held.values[index] -= count
        if held.values[index] == 0 { held.remove(at: index) }
    }
}
