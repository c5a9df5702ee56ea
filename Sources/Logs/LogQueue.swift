import Dispatch
import Synchronization

/// A bounded queue of log lines, and the thread that writes them, so that logging never waits.
///
/// Standard error may be a pipe whose reader has stopped, or a file on a disk that hangs. Lines that come while the
/// queue is full are dropped and counted. Once those before them are written, a line says how many are missing.
package final class LogQueue: Sendable {
    private struct State {
        var lines: [String] = []
        var bytes = 0
        var isWriting = false
        /// The dropped lines that no line has mentioned yet.
        var unreported = 0
        var dropped = 0

        mutating func drop(_ count: Int) {
            unreported += count
            dropped += count
        }
    }

    private let capacity: Int
    private let write: @Sendable (String) -> Bool
    private let report: @Sendable (Int) -> String
    private let state = Mutex(State())
    /// A queue without a target, which has a thread of its own while it writes.
    private let thread = DispatchQueue(label: "afterpush.log")

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - capacity: The bytes of lines that may wait, beside those that are being written.
    ///   - write: Writes a line, for as long as that takes, and returns whether it succeeded.
    ///   - report: Returns the line that says how many lines were dropped.
    package init(
        capacity: Int = 1 << 20, write: @escaping @Sendable (String) -> Bool,
        report: @escaping @Sendable (_ dropped: Int) -> String
    ) {
        self.capacity = capacity
        self.write = write
        self.report = report
    }

    /// The number of lines that were dropped, because the queue was full or they could not be written.
    package var dropped: Int { state.withLock { $0.dropped } }

    /// Adds a line with its line end, or drops it.
    package func add(_ line: String) {
        let starts = state.withLock { state in
            guard state.bytes + line.utf8.count <= capacity else {
                state.drop(1)
                return false
            }
            state.lines.append(line)
            state.bytes += line.utf8.count
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if starts { thread.async { self.writeAll() } }
    }

    /// Waits until the lines so far are written, and returns whether they were in time.
    @discardableResult
    package func flush(within time: Duration) -> Bool {
        let done = DispatchSemaphore(value: 0)
        thread.async { done.signal() }
        return done.wait(timeout: .now() + time / .seconds(1)) == .success
    }

    private func writeAll() {
        while let (lines, dropped) = next() {
            let failed = lines.count { !write($0) }
            let isReported = failed + dropped == 0 || write(report(failed + dropped))
            state.withLock { state in
                state.drop(failed)
                if isReported { state.unreported -= failed + dropped }
            }
        }
    }

    /// Returns the lines that wait, and the number of those dropped after them; `nil` if none waits.
    private func next() -> (lines: [String], dropped: Int)? {
        state.withLock { state in
            guard !state.lines.isEmpty else {
                state.isWriting = false
                return nil
            }
            defer { (state.lines, state.bytes) = ([], 0) }
            return (state.lines, state.unreported)
        }
    }
}
