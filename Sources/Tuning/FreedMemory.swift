import CMalloc
import Executors
import Foundation
package import Logging
package import ServiceLifecycle

/// Memory that the program has freed and that glibc's allocator keeps.
///
/// The allocator has an area for each thread, and keeps what is free between two blocks in use. When PostgreSQL hangs
/// under large bodies, each time other areas fill up: after four hangs of 5 seconds with bodies of 4 MB, the collector
/// kept 777 to 840 MiB of resident memory, of which this returns all but about 200 MiB. With `MALLOC_ARENA_MAX=2` it
/// kept 484 MiB, and its threads would wait for each other.
package enum FreedMemory {
    /// The resident memory of the process in bytes, or `nil` on a system without /proc.
    package static var resident: Int? {
        let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = statm?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return pages.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
    }

    /// Returns it to the system. That takes about a millisecond for each 2 MiB, during which some threads may wait.
    package static func release() {
        malloc_trim(0)
    }
}

/// Decides when freed memory is returned: once the program has grown a lot and doesn't grow any more, or has grown so
/// much that it could be ended for it.
struct FreedMemoryPolicy {
    /// The growth in bytes that is worth the time.
    static let growth = 128 << 20
    /// The growth in bytes for which memory is returned even if the program still grows.
    static let mostGrowth = 384 << 20
    /// The growth in bytes since the last check during which the program may still need what it has freed.
    static let stillGrowing = 16 << 20

    /// The least resident memory since memory was last returned.
    private var least: Int?
    private var last: Int?
    /// Whether memory was last returned while the program still grew, so that more can be free afterwards.
    private var isPending = false

    /// Notes the resident memory, and returns whether to return what is free. The caller then calls `released`.
    mutating func check(resident: Int) -> Bool {
        let isGrowing = last.map { resident > $0 + Self.stillGrowing } ?? true
        last = resident
        let least = min(least ?? resident, resident)
        self.least = least
        let isDue = resident > least + (isGrowing ? Self.mostGrowth : Self.growth) || isPending && !isGrowing
        if isDue { isPending = isGrowing }
        return isDue
    }

    /// Notes what was left, all of which is in use as far as the allocator can tell.
    mutating func released(resident: Int) {
        last = resident
        least = resident
    }
}

/// Returns freed memory to the system after a flood, for as long as the program runs.
package actor FreedMemoryWorker: Service {
    private let logger: Logger
    private let executor = QueueExecutor(label: "freed memory")
    private var policy = FreedMemoryPolicy()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package init(logger: Logger) {
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.check()
                try? await Task.sleep(for: .seconds(15))
            }
        }
    }

    private func check() {
        guard let before = FreedMemory.resident, policy.check(resident: before) else { return }
        let start = ContinuousClock.now
        FreedMemory.release()
        guard let after = FreedMemory.resident else { return }
        policy.released(resident: after)
        logger.debug(
            "returned freed memory to the system",
            metadata: [
                "bytes": "\(before - after)", "resident": "\(after)",
                "seconds": "\(start.duration(to: .now) / .seconds(1))",
            ])
    }
}
