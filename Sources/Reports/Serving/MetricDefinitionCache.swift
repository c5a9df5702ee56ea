/// Remembers definitions for a minute, because reading them takes as long as a small report: those in reports, and the
/// list of all.
///
/// It has one entry per report, whichever of the columns are asked for: with one per choice of columns, requests could
/// fill the memory. Requests that ask for the same entry at the same time share one reading.
actor MetricDefinitionCache {
    /// The time after which definitions are read again; they change only if another program applies a migration.
    private static let lifetime: Duration = .seconds(60)

    /// The definitions as JSON objects, by column.
    private var entries: [String: SharedReading<[String: String]>] = [:]
    private let list = SharedReading<[String]>(lifetime: MetricDefinitionCache.lifetime)

    /// The number of definitions in memory that belong to reports.
    var count: Int {
        get async {
            var count = 0
            for entry in entries.values { count += await entry.latest?.count ?? 0 }
            return count
        }
    }

    /// Returns the definitions of some columns of a report, in the order of the columns. One without a definition is left
    /// out.
    ///
    /// - Parameter read: Reads the definitions of all columns of the report, by column.
    func definitions(
        of report: String, columns: [String], now: ContinuousClock.Instant = .now,
        read: @escaping @Sendable () async throws -> [String: String]
    ) async throws -> [String] {
        let entry = entries[report] ?? SharedReading(lifetime: Self.lifetime)
        entries[report] = entry
        let definitions = try await entry.value(now: now, read: read)
        return columns.compactMap { definitions[$0] }
    }

    /// Returns all definitions, as `read` reads them.
    func all(
        now: ContinuousClock.Instant = .now, read: @escaping @Sendable () async throws -> [String]
    ) async throws -> [String] {
        try await list.value(now: now, read: read)
    }
}

/// A value that is read once for all who ask for it at the same time, and then remembered for a while.
actor SharedReading<Value: Sendable> {
    private let lifetime: Duration
    private var last: (value: Value, readAt: ContinuousClock.Instant)?
    private var reading: Task<Value, any Error>?

    /// Creates a reading without a value.
    ///
    /// - Parameter lifetime: The time after which the value is read again.
    init(lifetime: Duration) {
        self.lifetime = lifetime
    }

    /// The value that was read last, also if its time is over.
    var latest: Value? { last?.value }

    /// Returns the value, from memory or as `read` reads it. If that fails, so do all who wait for it, and the next one
    /// reads again.
    func value(
        now: ContinuousClock.Instant = .now, read: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        if let last, now - last.readAt < lifetime { return last.value }
        if let reading { return try await reading.value }
        // It is for all who wait, so it goes on if the first of them is cancelled. It is awaited here, and ends when `read`
        // does.
        let task = Task { try await read() }
        reading = task
        defer { reading = nil }
        let value = try await task.value
        last = (value, now)
        return value
    }
}
