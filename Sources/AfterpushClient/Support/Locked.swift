import Foundation

/// A value that one thread at a time gets at. (`Mutex` needs newer systems than the library does.)
// Safe: the value is touched under the lock alone.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    /// The body is short, and waits for nothing that needs the same value.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
