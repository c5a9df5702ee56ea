/// The load that a capacity plan is made for.
package struct Workload: Sendable {
    /// Events per second, averaged over days. They decide how much is stored.
    package var eventsPerSecond: Double
    /// The rate of the busiest minutes, as a multiple of the average. It decides how much has to be done at once.
    package var peak = 3.0
    /// The share of events that arrive in requests of their own, as devices send them; the others come in requests of 100.
    package var singleShare = 0.5
    /// The size of an event as JSON.
    package var eventBytes = Cost.eventBytes.value
    /// How long events and deliveries are kept.
    package var retentionDays = 90.0
    /// Reports per minute, over HTTP and by dashboards.
    package var reportsPerMinute = 60.0

    package init(eventsPerSecond: Double) {
        self.eventsPerSecond = eventsPerSecond
    }

    /// Events per second at the peak.
    package var peakRate: Double { eventsPerSecond * peak }
    /// Events that are stored once the oldest reach the end of their retention.
    package var storedEvents: Double { eventsPerSecond * 86_400 * retentionDays }
    /// Bytes per second that clients send at the peak, with the head of each request.
    package var receivedBytes: Double {
        peakRate * (eventBytes + Cost.requestHead.value * (singleShare + (1 - singleShare) / 100))
    }

    /// The load of one of several databases among which the apps are divided evenly.
    func divided(by count: Int) -> Workload {
        var part = self
        part.eventsPerSecond /= Double(count)
        part.reportsPerMinute /= Double(count)
        return part
    }
}

/// A machine with one database of Afterpush.
package struct DatabaseMachine: Sendable {
    package var cores = 8.0
    package var memoryGiB = 128.0
    package var diskTB = 15.0

    package init() {}

    /// The memory that can hold pages, in PostgreSQL's cache and the system's.
    var cacheBytes: Double { memoryGiB * 0.75 * 1_073_741_824 }
    var diskBytes: Double { diskTB * 1e12 }
}

/// A collector as a plan counts it.
package struct CollectorSize: Sendable {
    /// Processor cores: no collector was measured on more than two.
    package let cores = 2.0
    /// Connections that it opens to its database.
    package let connections: Int
    /// Groups of events that it stores at the same time.
    package let lanes: Int

    package init(connections: Int, lanes: Int) {
        self.connections = connections
        self.lanes = lanes
    }
}
