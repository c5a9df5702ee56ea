/// What an event, a request or a report costs, and how that is known.
///
/// `make bench` compares the costs that it can measure with what it measures.
package struct Cost: Sendable {
    package enum Unit: String, Sendable {
        case microseconds = "us"
        case seconds = "s"
        case bytes
        case pages
        case bytesPerSecond = "bytes/s"
    }

    package enum Basis: String, Sendable {
        case measured
        /// Computed from measured figures, but never observed.
        case estimated
        /// Usual for a machine of the kind that one would take.
        case assumed
        /// A limit of the program.
        case limit
    }

    /// The name in the output as JSON, where `make bench` looks for it.
    package let name: String
    package let value: Double
    package let unit: Unit
    package let basis: Basis
    /// What it is the cost of, and where the figure comes from.
    package let source: String

    private init(_ name: String, _ value: Double, _ unit: Unit, _ source: String, _ basis: Basis = .measured) {
        self.name = name
        self.value = value
        self.unit = unit
        self.basis = basis
        self.source = source
    }

    /// A cost in time, in seconds.
    var seconds: Double { unit == .seconds ? value : value * 1e-6 }
}

extension Cost {
    // Requests and events.
    package static let collectorBatch = Cost(
        "collector_batch", 12, .microseconds, "processor time of the collector for an event in a request of 100")
    package static let collectorSingle = Cost(
        "collector_single", 250, .microseconds, "processor time of the collector for a request of one event")
    package static let storingBatch = Cost(
        "storing_batch", 18, .microseconds, "processor time of PostgreSQL to store an event from a request of 100")
    package static let storingSingle = Cost(
        "storing_single", 45, .microseconds, "processor time of PostgreSQL to store an event from a request of its own")
    package static let rollupBatch = Cost(
        "rollup_batch", 28, .microseconds, "processor time of the rollup worker for an event from a request of 100")
    package static let rollupSingle = Cost(
        "rollup_single", 45, .microseconds, "processor time of the rollup worker for an event from a request of its own"
    )
    package static let eventBytes = Cost(
        "event_bytes", 380, .bytes, "an event as JSON, as in the data whose size on disk was measured")
    package static let requestHead = Cost(
        "request_head", 250, .bytes, "the head of a request, with its key", .estimated)

    // Disk.
    package static let disk = Cost(
        "disk", 920, .bytes, "tables and indexes of an event, its deliveries and rollups, spread over all hours")
    package static let wal = Cost(
        "wal", 1_290, .bytes, "WAL of an event, its deliveries and rollups, compressed by lz4, with all pages in memory"
    )
    package static let eventKey = Cost(
        "event_key", 76, .bytes, "the primary key of an event")
    package static let deliveryKeys = Cost(
        "delivery_keys", 41, .bytes, "the two indexes of deliveries with random keys, for each event")

    // Data that is larger than the memory.
    package static let eventPages = Cost(
        "event_pages", 1, .pages, "pages that PostgreSQL reads to store an event, with a cache of 4 MB")
    package static let deliveryPages = Cost(
        "delivery_pages", 1.6, .pages,
        "pages that the rollup worker reads for an event: 1.2 with a cache of 4 MB, and one of the index of devices for "
            + "each delivery", .estimated)
    package static let pageRead = Cost("page_read", 100, .microseconds, "time to read a page from an SSD", .assumed)
    package static let pageImage = Cost(
        "page_image", 1_900, .bytes, "WAL for each page that was read: it is logged as a whole, compressed by lz4")
    package static let walDisk = Cost(
        "wal_disk", 500e6, .bytesPerSecond, "WAL that a disk writes beside everything else", .assumed)

    // Reports.
    package static let rollupReport = Cost(
        "rollup_report", 0.05, .seconds, "processor time of a report over rollups at ten million events")
    package static let repliesReport = Cost(
        "replies_report", 0.38, .microseconds,
        "time of the report replies for each event of its period, of which 2 % are replies")
    package static let reportLimit = Cost(
        "report_limit", 30, .seconds, "time limit of a report", .limit)

    package static let all = [
        collectorBatch, collectorSingle, storingBatch, storingSingle, rollupBatch, rollupSingle, eventBytes,
        requestHead,
        disk, wal, eventKey, deliveryKeys, eventPages, deliveryPages, pageRead, pageImage, walDisk, rollupReport,
        repliesReport, reportLimit,
    ]
}
