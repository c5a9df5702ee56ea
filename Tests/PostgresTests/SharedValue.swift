import Synchronization

/// A value that several tasks of a test can write.
final class SharedValue<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) {
        self.mutex = Mutex(value)
    }

    var value: Value { self.mutex.withLock { $0 } }

    func change(_ body: @Sendable (inout Value) -> Void) {
        self.mutex.withLock { body(&$0) }
    }
}
