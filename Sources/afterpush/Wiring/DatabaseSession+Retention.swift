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
    ///
    /// - Returns: The spools that no collector uses. The caller keeps them until it has sealed hours, so that no collector
    ///   fills one meanwhile.
    func requireEmptySpool(_ settings: Settings) async throws -> UnusedSpools {
        let owner = try await databaseIdentifier()
        let unused = UnusedSpools(in: settings.spoolDirectory, owner: owner)
        let contents = try SpoolContents(directory: settings.spoolDirectory, owner: owner)
        let events = contents.map { $0.events + $0.awaitedSetAsideEvents } ?? 0
        guard events == 0 else {
            throw Retention.Failure.obstacle(
                "\(settings.spoolDirectory) holds \(events) events that are not stored yet; "
                    + "start the collector that it belongs to")
        }
        // Their collectors may have been killed.
        try await PostgresSpoolStatusStore(pool: database.ingest).close(unused)
        return unused
    }
}
