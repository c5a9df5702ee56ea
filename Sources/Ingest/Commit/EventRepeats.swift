/// Events of one app that came more than once in a group, and of which therefore only the first is stored.
package struct EventRepeats: Sendable, Equatable {
    package internal(set) var duplicates: Int32 = 0
    /// Of these, those that say something else than the first.
    package internal(set) var conflicts: Int32 = 0

    package init() {}
}
