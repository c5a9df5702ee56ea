import Synchronization

/// Work exceeded its time limit.
package struct TimeoutError: Error, CustomStringConvertible {
    package init() {}

    package var description: String { "it took too long" }
}

/// Waits for `body` no longer than `limit`, even if the work itself can't be interrupted.
///
/// Returns what `body` returns. Throws once the time has passed or the caller is cancelled; the work is cancelled too,
/// runs on to its own end, and its result is dropped.
package func withTimeout<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let result = FirstResult<Value>()
    // Not structured, since a task group would wait for a call into libpq that nothing can interrupt. The work ends
    // by the timeouts of its connection; `result` takes the first result and drops the others.
    let work = Task {
        do { result.give(.success(try await body())) } catch { result.give(.failure(error)) }
    }
    let clock = Task {
        try await Task.sleep(for: limit)
        result.give(.failure(TimeoutError()))
        work.cancel()
    }
    defer { clock.cancel() }
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { result.wait($0) }
    } onCancel: {
        result.give(.failure(CancellationError()))
        work.cancel()
    }
}

/// The first result, for the one who waits.
private final class FirstResult<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, any Error>)
        case given(Result<Value, any Error>)
    }

    private let state = Mutex(State.empty)

    func give(_ result: Result<Value, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .given: return nil
            case .empty:
                state = .given(result)
                return nil
            case .waiting(let waiter):
                state = .given(result)
                return waiter
            }
        }
        waiter?.resume(with: result)
    }

    func wait(_ waiter: CheckedContinuation<Value, any Error>) {
        let result = state.withLock { state -> Result<Value, any Error>? in
            if case .given(let result) = state { return result }
            state = .waiting(waiter)
            return nil
        }
        if let result { waiter.resume(with: result) }
    }
}
