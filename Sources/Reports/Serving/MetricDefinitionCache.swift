/// The definitions that reports carry, remembered for a while: reading them takes as long as a small report does.
actor MetricDefinitionCache {
    private struct Key: Hashable {
        let report: String
        let columns: [String]
    }

    private struct Entry {
        let definitions: [String]
        let readAt: ContinuousClock.Instant
    }

    /// They change only with a migration, which another program may apply.
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
