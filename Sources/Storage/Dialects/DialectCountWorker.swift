package import Dialects
package import Logging
package import Postgres
import SQLFiles
import ServiceLifecycle
package import Spool

/// Stores the counts of other systems' events every second, as long as the database answers.
///
/// While it does not, the counts wait in memory. They are for people who set up a client, so those of a collector that is
/// killed are lost.
package struct DialectCountWorker: Service {
    private let counter: DialectCounter
    private let counts: DialectCountStore
    private let breaker: CircuitBreaker
    private let logger: Logger

    /// Creates a worker.
    ///
    /// - Parameter pool: The pool of the ingest role.
    package init(_ counter: DialectCounter, pool: ConnectionPool, breaker: CircuitBreaker, logger: Logger) {
        self.counter = counter
        counts = DialectCountStore(pool: pool)
        self.breaker = breaker
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                await store()
            }
        }
        // What was counted since, once the server has stopped.
        await store()
    }

    private func store() async {
        // An app with many names has statements of its own, so that it doesn't fail those of the others.
        var part: [DialectCounter.Entry: DialectCounter.Counts] = [:]
        for sums in counter.takeByApp().values {
            if !part.isEmpty, part.count + sums.count > Self.partSize {
                await store(part)
                part = [:]
            }
            part.merge(sums) { one, _ in one }
        }
        if !part.isEmpty { await store(part) }
    }

    /// The number of counts from which on the next app's are stored apart.
    private static let partSize = 1_000

    private func store(_ part: [DialectCounter.Entry: DialectCounter.Counts]) async {
        do {
            try await breaker.run(within: .seconds(2)) { try await counts.add(part) }
        } catch {
            counter.add(part)
            logger.debug("could not store the counts of dialects", metadata: ["error": "\(error)"])
        }
    }
}

/// Stores counts of other systems' events.
package struct DialectCountStore: Sendable {
    private let pool: ConnectionPool

    /// Creates a store.
    ///
    /// - Parameter pool: The pool of the ingest role.
    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// Adds counts to those that are stored.
    package func add(_ counts: [DialectCounter.Entry: DialectCounter.Counts]) async throws {
        let counts = counts.sorted { $0.key.sortKey.lexicographicallyPrecedes($1.key.sortKey) }
        let parameters: [Parameter] = [
            .int4Array(counts.map(\.key.appID)), .textArray(counts.map(\.key.family.rawValue)),
            .textArray(counts.map(\.key.name)), .textArray(counts.map(\.key.reason)),
            .int8Array(counts.map { Int64($0.value.received) }), .int8Array(counts.map { Int64($0.value.mapped) }),
            .int8Array(counts.map { Int64($0.value.ignored) }), .int8Array(counts.map { Int64($0.value.rejected) }),
        ]
        try await pool.withConnection { connection in
            _ = try await connection.query(SQLFiles.callCountDialectEvents.text, parameters, prepared: true)
        }
    }
}

extension DialectCounter.Entry {
    fileprivate var sortKey: [String] { ["\(appID)", family.rawValue, name, reason] }
}
