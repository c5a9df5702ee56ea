import Synchronization

/// Set once, by one task, for others to see.
package final class DoneFlag: Sendable {
    private let state = Atomic(false)

    package init() {}

    package var isSet: Bool { state.load(ordering: .acquiring) }

    package func set() { state.store(true, ordering: .releasing) }
}
