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
        #expect(state.lent == 3 && state.waiters.map(\.number) == [4])
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
        #expect(state.waiters.map(\.number) == [5])
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
