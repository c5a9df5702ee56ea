import Synchronization

/// State that all lanes of a sink share.
final class SharedState<State: Sendable>: Sendable {
    let state: Mutex<State>

    init(_ state: State) {
        self.state = Mutex(state)
    }
}
