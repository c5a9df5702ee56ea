@preconcurrency import Dispatch
import Foundation
import Synchronization

/// An executor for work that keeps a processor busy for as long as a client likes: reading large bodies, and writing
/// large reports.
///
/// Swift's pool has a thread per processor for all requests, and a busy thread delays the others. This executor has its
/// own threads, one fewer than there are processors, and the operating system divides the processors among all threads.
package final class BusyExecutor: TaskExecutor {
    package static let shared = BusyExecutor(threads: ProcessInfo.processInfo.activeProcessorCount - 1)

    /// Queues without a target, each of which gets a thread when it has work.
    private let queues: [DispatchQueue]
    /// The number of jobs of each queue that have not ended.
    private let waiting: Mutex<[Int]>

    package init(threads: Int) {
        queues = (0..<max(1, threads)).map { DispatchQueue(label: "afterpush.busy-\($0)") }
        waiting = Mutex(Array(repeating: 0, count: queues.count))
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let place = waiting.withLock { waiting in
            let place = waiting.indices.min { waiting[$0] < waiting[$1] } ?? 0
            waiting[place] += 1
            return place
        }
        queues[place].async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            self.waiting.withLock { $0[place] -= 1 }
        }
    }
}
