/// A value that is transferred to another thread and not used on the first one again.
// Safe for the completion handlers of UserNotifications, which may be called on any thread, and for values that are
// passed to them once. A comment at each use says which.
struct UncheckedTransfer<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
