/// What a workload takes of one database, its machine and its collectors.
package struct DatabaseLoad: Sendable {
    package let workload: Workload
    package let machine: DatabaseMachine
    package let collector: CollectorSize

    // MARK: Data

    /// Bytes of tables and indexes for each stored event.
    private var bytesPerEvent: Double { Cost.disk.value + surplus }
    /// Bytes that an event has beyond the measured ones. They are in its properties, which are stored once.
    private var surplus: Double { max(0, workload.eventBytes - Cost.eventBytes.value) }

    package var diskBytesPerDay: Double { workload.eventsPerSecond * 86_400 * bytesPerEvent }
    package var diskBytes: Double { workload.storedEvents * bytesPerEvent }

    /// The size of the indexes whose keys are random, so that any page of them may be needed next: the primary key of the
    /// month's events, and the indexes of all deliveries.
    package var randomKeyBytes: Double {
        let perDay = workload.eventsPerSecond * 86_400
        return perDay
            * (min(workload.retentionDays, 31) * Cost.eventKey.value + workload.retentionDays * Cost.deliveryKeys.value)
    }
    /// The share of those pages that is not in memory.
    package var missShare: Double {
        randomKeyBytes > machine.cacheBytes ? 1 - machine.cacheBytes / randomKeyBytes : 0
    }

    /// Bytes of WAL per event. A page that had to be read was last changed long ago, before the last checkpoint, so it is
    /// logged as a whole.
    private var walBytesPerEvent: Double {
        Cost.wal.value + surplus
            + (Cost.eventPages.value + Cost.deliveryPages.value) * missShare * Cost.pageImage.value
    }
    package var walBytesAtPeak: Double { workload.peakRate * walBytesPerEvent }
    package var walBytesPerDay: Double { workload.eventsPerSecond * 86_400 * walBytesPerEvent }

    // MARK: Time at the peak, in seconds per second

    package var collectorCores: Double {
        workload.peakRate * mixed(Cost.collectorBatch, Cost.collectorSingle)
    }
    private var storingCores: Double { workload.peakRate * mixed(Cost.storingBatch, Cost.storingSingle) }
    /// The processor time of the rollup worker.
    package var rollupCores: Double { workload.peakRate * mixed(Cost.rollupBatch, Cost.rollupSingle) }
    private var reportCores: Double { workload.reportsPerMinute / 60 * Cost.rollupReport.seconds }
    package var postgresCores: Double { storingCores + rollupCores + reportCores }

    /// How busy the rollup worker is, in one process, which waits for each page that it reads. That it can use two if events
    /// come in large groups is left out.
    package var rollupLoad: Double { rollupCores + waiting(for: Cost.deliveryPages) }
    /// How many groups of events are being stored at the same time on average.
    private var storingLanes: Double { storingCores + waiting(for: Cost.eventPages) }

    /// The collectors, two of them at least, so that one can be replaced while the other goes on.
    package var collectors: Int {
        let needed = max(collectorCores / collector.cores, storingLanes / Double(collector.lanes)) / Resource.limit
        return max(2, Int(needed.rounded(.up)))
    }
    package var connections: Int { collectors * collector.connections }

    /// The longest period for which the report `replies`, which reads each reply, stays within its time limit, in seconds.
    package var longestRepliesPeriod: Double {
        Cost.reportLimit.seconds / (workload.eventsPerSecond * Cost.repliesReport.seconds)
    }

    private func mixed(_ batch: Cost, _ single: Cost) -> Double {
        batch.seconds * (1 - workload.singleShare) + single.seconds * workload.singleShare
    }

    private func waiting(for pages: Cost) -> Double {
        workload.peakRate * pages.value * missShare * Cost.pageRead.seconds
    }

    // MARK: Limits

    /// The share of a resource that is used, where 1 is all of it.
    package func use(of resource: Resource) -> Double {
        switch resource {
        case .rollupWorker: rollupLoad
        case .disk: diskBytes / machine.diskBytes
        case .cores: postgresCores / machine.cores
        case .wal: walBytesAtPeak / Cost.walDisk.value
        }
    }

    /// The resource of which the largest share is used.
    package var scarcest: Resource {
        Resource.allCases.max { use(of: $0) < use(of: $1) } ?? .rollupWorker
    }
    package var fits: Bool { use(of: scarcest) <= Resource.limit }
}

/// What one database has a limited amount of.
package enum Resource: String, CaseIterable, Sendable {
    case rollupWorker = "rollup_worker"
    case disk
    case cores
    case wal

    var title: String {
        switch self {
        case .rollupWorker: "rollup worker"
        case .disk: "disk"
        case .cores: "cores"
        case .wal: "WAL"
        }
    }

    /// The share of a resource that a plan uses at the peak. The rest is for vacuum, checkpoints, backups and surprises.
    package static let limit = 0.7
}
