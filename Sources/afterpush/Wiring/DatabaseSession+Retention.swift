import Spool
import Storage

extension DatabaseSession {
    /// Returns the retention with some periods, for a command.
    func retention(_ periods: RetentionPeriods) -> Retention {
        Retention(pool: database.owner, periods) { try await mergeOnce() }
    }

    /// Refuses to seal hours while the spool of the settings holds events, which could not be stored any more.
    ///
    /// The database knows of the spools of collectors that run. This one may be of a collector that was stopped
    /// or killed.
    func requireEmptySpool(_ settings: Settings) async throws {
        let owner = try await databaseIdentifier()
        // Until the end, so that no collector fills one meanwhile.
        let unused = UnusedSpools(in: settings.spoolDirectory, owner: owner)
        defer { withExtendedLifetime(unused) {} }
        let contents = try SpoolContents(directory: settings.spoolDirectory, owner: owner)
        let events = contents.map { $0.events + $0.awaitedSetAsideEvents } ?? 0
        guard events > 0 else {
            // Their collectors may have been killed.
            return try await PostgresSpoolStatusStore(pool: database.ingest).close(unused)
        }
        throw Retention.Failure.obstacle(
            "\(settings.spoolDirectory) holds \(events) events that are not stored yet; "
                + "start the collector that it belongs to")
    }
}
