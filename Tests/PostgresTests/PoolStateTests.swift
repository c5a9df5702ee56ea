import Testing

@testable import Postgres

struct PoolStateTests {
    @Test func `connections are opened up to the size, then borrowers wait in order`() {
        var state = PoolState<String>(size: 1, waitLimit: 2)
        guard case .open = state.acquire(waiter: 1) else { return #expect(Bool(false)) }
        guard case .wait = state.acquire(waiter: 2) else { return #expect(Bool(false)) }
        guard case .wait = state.acquire(waiter: 3) else { return #expect(Bool(false)) }
        guard case .refuse(.tooManyWaiting) = state.acquire(waiter: 4) else { return #expect(Bool(false)) }
        guard case .grant(waiter: 2, "a") = state.release("a") else { return #expect(Bool(false)) }
        // A broken connection leaves its slot to the next waiter, which opens another connection.
        guard case .grant(waiter: 3, nil) = state.release(nil) else { return #expect(Bool(false)) }
        guard case .none = state.release("b") else { return #expect(Bool(false)) }
        guard case .use("b") = state.acquire(waiter: 5) else { return #expect(Bool(false)) }
        #expect(state.lent == 1 && state.idle.isEmpty)
    }

    @Test func `an owner at its limit waits, and others get what is free`() {
        var state = PoolState<String>(size: 3, waitLimit: 9, ownerLimit: 2)
        for waiter in 1...2 {
            guard case .open = state.acquire(waiter: waiter, owner: 7) else { return #expect(Bool(false)) }
        }
        for waiter in 3...4 {
            guard case .wait = state.acquire(waiter: waiter, owner: 7) else { return #expect(Bool(false)) }
        }
        guard case .open = state.acquire(waiter: 5, owner: 8) else { return #expect(Bool(false)) }
        guard case .wait = state.acquire(waiter: 6) else { return #expect(Bool(false)) }
        // The oldest waiter that may have the slot gets it.
        guard case .grant(waiter: 6, "a") = state.release("a", owner: 8) else { return #expect(Bool(false)) }
        guard case .none = state.release("a") else { return #expect(Bool(false)) }
        guard case .grant(waiter: 3, "b") = state.release("b", owner: 7) else { return #expect(Bool(false)) }
        guard case .use("a") = state.acquire(waiter: 7, owner: 8) else { return #expect(Bool(false)) }
        #expect(state.lent == 3 && state.waiters == [4])
    }

    @Test func `a slot goes to the owner that has the fewest, and then to the oldest waiter`() {
        var state = PoolState<String>(size: 3, waitLimit: 40, ownerLimit: 2)
        _ = state.acquire(waiter: 1, owner: 7)
        _ = state.acquire(waiter: 2, owner: 7)
        _ = state.acquire(waiter: 3)
        for waiter in 4...5 { _ = state.acquire(waiter: waiter, owner: 7) }
        _ = state.acquire(waiter: 6, owner: 8)
        _ = state.acquire(waiter: 7, owner: 9)
        guard case .grant(waiter: 6, "a") = state.release("a", owner: 7) else { return #expect(Bool(false)) }
        guard case .grant(waiter: 7, "b") = state.release("b") else { return #expect(Bool(false)) }
        guard case .grant(waiter: 4, "a") = state.release("a", owner: 8) else { return #expect(Bool(false)) }
        #expect(state.waiters == [5])
    }

    @Test func `an owner has half of the places to wait, and others are not refused for it`() {
        var state = PoolState<String>(size: 1, waitLimit: 8, ownerLimit: 1)
        _ = state.acquire(waiter: 1, owner: 7)
        for waiter in 2...5 {
            guard case .wait = state.acquire(waiter: waiter, owner: 7) else { return #expect(Bool(false)) }
        }
        guard case .refuse(.tooManyWaiting) = state.acquire(waiter: 6, owner: 7) else { return #expect(Bool(false)) }
        guard case .wait = state.acquire(waiter: 7, owner: 8) else { return #expect(Bool(false)) }
        for waiter in 8...10 {
            guard case .wait = state.acquire(waiter: waiter) else { return #expect(Bool(false)) }
        }
        guard case .refuse(.tooManyWaiting) = state.acquire(waiter: 11) else { return #expect(Bool(false)) }
    }

    @Test func `in a full queue, newcomers take the places of the owner that has the most`() {
        var state = PoolState<String>(size: 1, waitLimit: 8, ownerLimit: 1)
        _ = state.acquire(waiter: 1)
        for waiter in 2...5 { _ = state.acquire(waiter: waiter, owner: 7) }
        for waiter in 6...9 { _ = state.acquire(waiter: waiter, owner: 8) }
        // Of two owners with as many waiters, the one that came last loses its newest.
        guard case .displace(waiter: 9) = state.acquire(waiter: 10, owner: 9) else { return #expect(Bool(false)) }
        guard case .displace(waiter: 5) = state.acquire(waiter: 11, owner: 9) else { return #expect(Bool(false)) }
        #expect(state.waiters == [2, 3, 4, 6, 7, 8, 10, 11])
        // An owner keeps its places if it would then have fewer than the newcomer.
        guard case .refuse(.tooManyWaiting) = state.acquire(waiter: 12, owner: 9) else { return #expect(Bool(false)) }
        guard case .refuse(.tooManyWaiting) = state.acquire(waiter: 13, owner: 7) else { return #expect(Bool(false)) }
        // Borrowers without an owner count as those of one.
        guard case .displace(waiter: 8) = state.acquire(waiter: 14) else { return #expect(Bool(false)) }
        #expect(state.waiters == [2, 3, 4, 6, 7, 10, 11, 14])
        let leaves = [state.leave(waiter: 8), state.leave(waiter: 7)]
        #expect(leaves == [false, true])
        guard case .wait = state.acquire(waiter: 15, owner: 8) else { return #expect(Bool(false)) }
    }

    @Test func `owners that have one waiter each keep their places`() {
        var state = PoolState<String>(size: 1, waitLimit: 4, ownerLimit: 1)
        _ = state.acquire(waiter: 0)
        for owner in 1...4 { _ = state.acquire(waiter: owner, owner: Int32(owner)) }
        guard case .refuse(.tooManyWaiting) = state.acquire(waiter: 5, owner: 5) else { return #expect(Bool(false)) }
        #expect(state.waiters == [1, 2, 3, 4])
    }

    @Test func `two owners that flood the queue leave places to all others`() {
        var state = PoolState<String>(size: 2, waitLimit: 100, ownerLimit: 1)
        _ = state.acquire(waiter: 1, owner: 1)
        _ = state.acquire(waiter: 2, owner: 2)
        var number = 2
        func flood() {
            for owner: Int32 in [1, 2] {
                for _ in 0..<100 {
                    number += 1
                    _ = state.acquire(waiter: number, owner: owner)
                }
            }
        }
        flood()
        for owner: Int32 in 3...12 {
            for _ in 0..<8 {
                number += 1
                switch state.acquire(waiter: number, owner: owner) {
                case .displace: break
                default: #expect(Bool(false), "\(owner)")
                }
            }
            flood()
        }
        #expect(state.waiterCount == 100)
    }

    @Test func `owners that wait get slots in turn, however many waiters they have`() {
        var state = PoolState<String>(size: 1, waitLimit: 100, ownerLimit: 1)
        _ = state.acquire(waiter: 0, owner: 7)
        for waiter in 1...10 { _ = state.acquire(waiter: waiter, owner: 7) }
        for waiter in 11...20 { _ = state.acquire(waiter: waiter, owner: 8) }
        var holder: Int32? = 7
        var served: [Int] = []
        func next() {
            guard case .grant(let waiter, _) = state.release("a", owner: holder) else { return #expect(Bool(false)) }
            served.append(waiter)
            holder = waiter == 21 || waiter == 22 ? 9 : waiter > 10 ? 8 : 7
        }
        for _ in 0..<4 { next() }
        #expect(served == [1, 11, 2, 12])
        // A newcomer does not wait for those that came before.
        _ = state.acquire(waiter: 21, owner: 9)
        _ = state.acquire(waiter: 22, owner: 9)
        for _ in 0..<6 { next() }
        #expect(served.suffix(6) == [21, 3, 13, 22, 4, 14])
    }

    @Test func `a waiter in the middle, at the end or at the start of its line leaves the others in order`() {
        var state = PoolState<String>(size: 1, waitLimit: 100)
        _ = state.acquire(waiter: 0)
        for waiter in 1...6 { _ = state.acquire(waiter: waiter) }
        let leaves = [3, 6, 1].map { state.leave(waiter: $0) }
        #expect(leaves == [true, true, true])
        _ = state.acquire(waiter: 7)
        for waiter in [2, 4, 5, 7] {
            guard case .grant(waiter: waiter, "a") = state.release("a") else { return #expect(Bool(false)) }
        }
        guard case .none = state.release("a") else { return #expect(Bool(false)) }
        #expect(state.waiterCount == 0 && state.lent == 0)
    }

    @Test func `a waiter that leaves is skipped, and can leave only once`() {
        var state = PoolState<String>(size: 1, waitLimit: 2)
        _ = state.acquire(waiter: 1)
        _ = state.acquire(waiter: 2)
        _ = state.acquire(waiter: 3)
        let leaves = [state.leave(waiter: 2), state.leave(waiter: 2)]
        #expect(leaves == [true, false])
        guard case .grant(waiter: 3, "a") = state.release("a") else { return #expect(Bool(false)) }
    }

    @Test func `a closed pool lends no connection and closes returned ones`() {
        var state = PoolState<String>(size: 2, waitLimit: 2)
        _ = state.acquire(waiter: 1)
        _ = state.acquire(waiter: 2)
        _ = state.acquire(waiter: 3)
        _ = state.release("a")
        _ = state.release("a")
        let closed = state.close()
        #expect(closed.idle == ["a"] && closed.waiters.isEmpty)
        guard case .refuse(.closed) = state.acquire(waiter: 4) else { return #expect(Bool(false)) }
        guard case .close("b") = state.release("b") else { return #expect(Bool(false)) }
        #expect(state.lent == 0)
    }
}
