/// A value that goes from one thread to another, and is not used on the first again.
// Safe for the completion handlers of UserNotifications, which may be called on any thread, and for what is given to
// them once; each use says which.
struct UncheckedTransfer<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
