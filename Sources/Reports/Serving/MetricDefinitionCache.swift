/// Remembers the definitions in reports for a minute, because reading them takes as long as a small report.
actor MetricDefinitionCache {
    private struct Key: Hashable {
        let report: String
        let columns: [String]
    }

    private struct Entry {
        let definitions: [String]
        let readAt: ContinuousClock.Instant
    }

    /// The time after which definitions are read again; they change only if another program applies a migration.
    private static let lifetime: Duration = .seconds(60)

    private var entries: [Key: Entry] = [:]

    func definitions(
        of report: String, _ columns: [String], now: ContinuousClock.Instant = .now,
        read: @Sendable () async throws -> [String]
    ) async throws -> [String] {
        let key = Key(report: report, columns: columns)
        if let entry = self.entries[key], now - entry.readAt < Self.lifetime { return entry.definitions }
        let definitions = try await read()
        self.entries[key] = Entry(definitions: definitions, readAt: now)
        return definitions
    }
}
