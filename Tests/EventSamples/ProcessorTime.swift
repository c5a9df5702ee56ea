import Foundation

/// Measures what pure functions cost, so that tests can compare two costs of the same run.
package enum ProcessorTime {
    /// Returns how many times as much processor time one function takes as another, from the least of several runs of
    /// each.
    package static func ratio(_ one: () throws -> Void, to other: () throws -> Void) rethrows -> Double {
        var (least, otherLeast) = (Double.infinity, Double.infinity)
        for _ in 0..<5 {
            least = min(least, try seconds(one))
            otherLeast = min(otherLeast, try seconds(other))
        }
        return least / otherLeast
    }

    /// The processor time of this thread, which others on the machine don't lengthen.
    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = now()
        try body()
        return now() - start
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
