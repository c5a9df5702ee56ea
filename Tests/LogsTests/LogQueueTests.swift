import Dispatch
import Logs
import Synchronization
import Testing

struct LogQueueTests {
    /// A file that takes lines only while it is open, or refuses them.
    private final class File: Sendable {
        private let lines = Mutex<[String]>([])
        private let isFull = Mutex(false)
        private let gate = DispatchSemaphore(value: 0)
        private let begun = DispatchSemaphore(value: 0)

        var all: [String] { lines.withLock { $0 } }

        func write(_ line: String) -> Bool {
            begun.signal()
            gate.wait()
            guard !isFull.withLock({ $0 }) else { return false }
            lines.withLock { $0.append(line) }
            return true
        }

        /// Waits until a line is being written.
        func waitForWrite() { begun.wait() }

        func open() {
            for _ in 0..<1_000 { gate.signal() }
        }

        func setFull(_ full: Bool) { isFull.withLock { $0 = full } }
    }

    @Test func `lines that find no room are dropped, and a line says how many`() {
        let file = File()
        let queue = LogQueue(capacity: 10, write: file.write) { "dropped \($0)" }
        queue.add("first")
        file.waitForWrite()
        for number in 1...5 { queue.add("line\(number)") }
        #expect(queue.dropped == 3)
        #expect(!queue.flush(within: .milliseconds(50)))
        file.open()
        #expect(queue.flush(within: .seconds(60)))
        #expect(file.all == ["first", "line1", "line2", "dropped 3"])
        queue.add("later")
        #expect(queue.flush(within: .seconds(60)))
        #expect(file.all.last == "later")
        #expect(queue.dropped == 3)
    }

    @Test func `lines that can't be written count as dropped, and are mentioned once they can be`() {
        let file = File()
        let queue = LogQueue(write: file.write) { "dropped \($0)" }
        file.open()
        file.setFull(true)
        for number in 1...3 {
            queue.add("line\(number)")
            #expect(queue.flush(within: .seconds(60)))
        }
        file.setFull(false)
        queue.add("later")
        #expect(queue.flush(within: .seconds(60)))
        #expect(file.all == ["later", "dropped 3"])
        #expect(queue.dropped == 3)
    }
}
