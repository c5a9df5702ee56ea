import Synchronization

/// A flag that one task sets once and others read.
package final class DoneFlag: Sendable {
    private let state = Atomic(false)

    package init() {}

    package var isSet: Bool { state.load(ordering: .acquiring) }

    package func set() { state.store(true, ordering: .releasing) }
}
