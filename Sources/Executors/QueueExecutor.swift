@preconcurrency import Dispatch

/// An executor that runs an actor on its own dispatch queue, so that blocking C calls don't occupy a thread of Swift's
/// pool.
package final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    package init(label: String) {
        // No target queue: libdispatch then gives a blocked queue another thread instead of starving the rest.
        self.queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: UnownedJob) {
        self.queue.async {
            job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(self.queue))
    }
}
