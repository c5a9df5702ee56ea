/// Remembers the definitions in reports for a minute, because reading them takes as long as a small report.
///
/// It has one entry per report, whichever of the columns are asked for: with one per choice of columns, requests could
/// fill the memory.
actor MetricDefinitionCache {
    private struct Entry {
        /// The definitions as JSON objects, by column.
        let definitions: [String: String]
        let readAt: ContinuousClock.Instant
    }

    /// The time after which definitions are read again; they change only if another program applies a migration.
    private static let lifetime: Duration = .seconds(60)

    private var entries: [String: Entry] = [:]

    /// The number of definitions in memory.
    var count: Int { entries.values.reduce(0) { $0 + $1.definitions.count } }

    /// Returns the definitions of some columns of a report, in the order of the columns. One without a definition is left
    /// out.
    ///
    /// - Parameter read: Reads the definitions of all columns of the report, by column.
    func definitions(
        of report: String, columns: [String], now: ContinuousClock.Instant = .now,
        read: @Sendable () async throws -> [String: String]
    ) async throws -> [String] {
        let definitions: [String: String]
        if let entry = entries[report], now - entry.readAt < Self.lifetime {
            definitions = entry.definitions
        } else {
            definitions = try await read()
            entries[report] = Entry(definitions: definitions, readAt: now)
        }
        return columns.compactMap { definitions[$0] }
    }
}
