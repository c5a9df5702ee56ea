import Synchronization

/// Waits for work no longer than a time, even if the work itself can't be interrupted.
enum TimeLimit {
    struct Passed: Error, CustomStringConvertible {
        var description: String { "it took too long" }
    }

    /// What `body` returns; or an error once the time has passed or the caller is cancelled, while the work, cancelled,
    /// goes on to its own end, its result unheeded.
    static func run<Value: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let answer = Answer<Value>()
        // Not structured, since a task group would wait for a call into libpq that nothing can interrupt. The work ends
        // by the timeouts of its connection; `answer` takes the first result and drops the others.
        let work = Task {
            do { answer.give(.success(try await body())) } catch { answer.give(.failure(error)) }
        }
        let clock = Task {
            try await Task.sleep(for: limit)
            answer.give(.failure(Passed()))
            work.cancel()
        }
        defer { clock.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { answer.wait($0) }
        } onCancel: {
            answer.give(.failure(CancellationError()))
            work.cancel()
        }
    }

    /// The first result, for the one who waits.
    private final class Answer<Value: Sendable>: Sendable {
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
}
