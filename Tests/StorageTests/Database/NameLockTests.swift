import AfterpushWire
import Declarations
import Events
import Foundation
import Ingest
import Postgres
import Spool
import Storage
import TestSupport
import Testing

/// Tests that events with new names wait for no declaration, and what happens while the names of an app are locked.
@Suite struct NameLockTests {
    private let app: TestApp

    init() async throws {
        app = try await TestApp()
    }

    private var sink: PostgresSink { PostgresSink(pool: app.database.ingest, logger: TestCluster.logger) }

    private func pending(_ campaign: String, of app: TestApp) throws -> PendingSubmission {
        try pending([["campaign_id": campaign]], of: app)
    }

    private func pending(
        _ events: [[String: any Sendable]], of app: TestApp, scope: Scope = .send
    ) throws -> PendingSubmission {
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let events = events.map { EventJSON.event(["notification_id": UUID().uuidString].merging($0) { $1 }) }
        let context = ValidationContext(appID: app.app.id, scope: scope, receivedAt: now)
        return PendingSubmission(try Submission.read(Array(try EventJSON.body(events)), as: .json), context)
    }

    private func store(_ campaign: String) async throws {
        _ = try await sink.store(EventGroup([try pending(campaign, of: app)]))
    }

    /// Runs a script in a transaction that stays open until the body has ended.
    private func holding(_ script: String, _ body: (Connection) async throws -> Void) async throws {
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
        try await connection.script("begin; \(script)")
        do {
            try await body(connection)
            await connection.close()
        } catch {
            await connection.close()
            throw error
        }
    }

    private func waitForLockWait() async throws {
        try await app.waitUntil("a statement waits for a lock") {
            try await app.superuserValue(
                """
                select count(*) > 0 from pg_stat_activity
                where wait_event_type = 'Lock' and datname = current_database()
                """) == "t"
        }
    }

    private func undeclared() async throws -> String? {
        try await app.value("select string_agg(name, ' ' order by name) from afterpush.undeclared_names")
    }

    @Test func `events with new names are stored while another transaction changes declarations of their app`()
        async throws
    {
        try await holding("select from afterpush.apps where app_id = \(app.app.id) for no key update") { _ in
            try await store("spring")
        }
        #expect(try await undeclared() == "spring")
    }

    @Test func `events with new names are stored while a set of categories is being stored`() async throws {
        let document = """
            {"categories":[{"identifier":"old","actions":[{"identifier":"a"}]},\
            {"identifier":"new","actions":[{"identifier":"b"},{"identifier":"c","min_app_version":"2"}]}]}
            """
        let set = try CategorySet(json: Data(document.utf8))
        // The set waits in its longest statement: that which inserts the actions.
        try await holding("lock table afterpush.actions in share mode") { lock in
            async let change = app.registry.putCategories(set, app: app.app, at: Timestamp(microseconds: 0))
            try await waitForLockWait()
            try await store("spring")
            try await lock.script("commit")
            #expect(try await change.changed.map(\.version) == [1, 2])
        }
        #expect(try await undeclared() == "spring")
        #expect(
            try await app.value(
                """
                select string_agg(category_id || version || action_id, ' ' order by category_id, version, position)
                from afterpush.actions
                """) == "old1a new1b new2b new2c".split(separator: " ").sorted().joined(separator: " "))
    }

    @Test func `a name that is declared while an event reserves it is not undeclared afterwards`() async throws {
        let app = app
        // The declaration is first.
        try await holding(
            "insert into afterpush.campaigns (app_id, campaign_id, name) values (\(app.app.id), 'spring', 's')"
        ) { lock in
            async let stored: Void = {
                // A slow machine may take longer than the event waits for the lock.
                while (try? await store("spring")) == nil { try await Task.sleep(for: .milliseconds(10)) }
            }()
            try await waitForLockWait()
            try await lock.script("commit")
            try await stored
        }
        #expect(try await undeclared() == nil)
        // The event is first.
        let reserve = """
            select afterpush.reserve_names(
                array[\(app.app.id)], array['campaign'], array[''], array['autumn'], array['server'], array[10])
            """
        try await holding(reserve) { lock in
            async let declared: Void = app.registry.putCampaign(
                CampaignDeclaration(identifier: "autumn", name: "a"), app: app.app)
            try await waitForLockWait()
            try await lock.script("commit")
            try await declared
        }
        #expect(try await undeclared() == nil)
        #expect(try await app.value("select count(*) from afterpush.campaigns") == "2")
    }

    @Test func `while one app's names are locked, its events are spooled and those of other apps are stored`()
        async throws
    {
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        let fallback = try await Fallback(sink)
        defer { fallback.remove() }
        try await holding("select afterpush.lock_names(array[\(app.app.id)])") { _ in
            try await fallback.expectSpooled(try pending("spring", of: app), butNot: try pending("spring", of: other))
        }
        let spool = fallback.spool
        #expect(await spool.status.entries == 1)
        #expect(
            try await app.value("select string_agg(distinct app_id::text, '') from afterpush.events")
                == "\(other.app.id)")
        let entries = try await spool.oldest(10, events: 10)
        _ = try await sink.store(EventGroup(entries.map(\.pending)))
        #expect(try await app.value("select count(campaign_id) from afterpush.events") == "2")
    }

    @Test func `names that take too long are reserved step by step, and other apps' events are stored meanwhile`()
        async throws
    {
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        // There is time for ten names in each attempt.
        var reservation = NameReservation()
        reservation.namesPerStatement = 10
        reservation.time = .zero
        let sink = PostgresSink(pool: app.database.ingest, reservation: reservation, logger: TestCluster.logger)
        let fallback = try await Fallback(sink)
        defer { fallback.remove() }
        let many = try pending((0..<75).map { ["campaign_id": "c\($0)"] }, of: app)
        try await fallback.expectSpooled(many, butNot: try pending("spring", of: other))
        let (spool, breaker) = (fallback.spool, fallback.breaker)
        // The attempt with the other app's event reserved nine, and the one without it ten.
        let names = "select count(*) from afterpush.undeclared_names where app_id = \(app.app.id)"
        #expect(try await app.value(names) == "19")

        let drainer = SpoolDrainer(sink, spool: spool, breaker: breaker, logger: TestCluster.logger)
        let run = Task { try await drainer.run() }
        defer { run.cancel() }
        try await app.waitUntil("the spool is drained") { await spool.status.entries == 0 }
        #expect(await spool.status.setAsideEntries == 0)
        #expect(!breaker.isOpen)
        #expect(
            try await app.value(
                "select count(distinct campaign_id) from afterpush.events where app_id = \(app.app.id)") == "75")
    }

    @Test func `names that exceed the time limit of a statement count as locked, not as an outage`() async throws {
        var configuration = PostgresConfiguration(conninfo: app.conninfo)
        configuration.statementTimeout = .milliseconds(200)
        let pool = ConnectionPool(configuration: configuration, size: 2, logger: TestCluster.logger)
        let sink = PostgresSink(pool: pool, logger: TestCluster.logger)
        let group = EventGroup([try pending("spring", of: app)])
        // The lock is waited for longer than a statement may take.
        try await holding("select afterpush.lock_names(array[\(app.app.id)])") { _ in
            await #expect(throws: SinkError.namesLocked(apps: [app.app.id])) { try await sink.store(group) }
        }
        await pool.shutdown()
        #expect(try await self.sink.store(group)[0].accepted == 1)
    }

    @Test func `names that are reserved in several statements keep to the quotas, parents and sources first`()
        async throws
    {
        var limits = NameLimits()
        limits.campaigns = 4
        limits.variants = 1
        var reservation = NameReservation()
        reservation.namesPerStatement = 3
        reservation.time = .seconds(600)
        let sink = PostgresSink(
            pool: app.database.ingest, limits: limits, reservation: reservation, logger: TestCluster.logger)
        let devices = try pending(
            (0..<9).flatMap { campaign in
                ["a", "b"].map { ["campaign_id": "c\(campaign)", "variant": $0] }
            }, of: app, scope: .ingest)
        // The server states the last of them, so every event may use it.
        let server = try pending([["campaign_id": "c8", "variant": "b"]], of: app)
        let outcomes = try await sink.store(EventGroup([devices, server]))
        #expect(outcomes.map(\.accepted) == [18, 1])
        let stored = """
            select string_agg(campaign_id || coalesce(variant, '-'), ' ' order by campaign_id, variant)
            from (select distinct campaign_id, variant from afterpush.events where campaign_id is not null) as e
            """
        #expect(try await app.value(stored)?.split(separator: " ").count == 10)
        #expect(
            try await app.value(
                """
                select string_agg(source::text || ' ' || kind || ' ' || n, ', ' order by source, kind)
                from (select source, kind, count(*) as n from afterpush.undeclared_names group by 1, 2) as u
                """) == "unverified campaign 4, unverified variant 5, server campaign 1, server variant 1")
    }
}

/// A sink with a spool in a directory of its own.
private struct Fallback {
    let spool: Spool
    let breaker = CircuitBreaker(logger: TestCluster.logger)
    private let sink: PostgresSink
    private let directory = CollectorProcess.spoolDirectory()

    init(_ sink: PostgresSink) async throws {
        self.sink = sink
        spool = try await Spool.open(Spool.Configuration(directory: directory), logger: TestCluster.logger)
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Submits two requests as one group, of which the first is to be spooled and the other stored.
    func expectSpooled(_ one: PendingSubmission, butNot other: PendingSubmission) async throws {
        var configuration = FallbackSink.Configuration()
        // The tests are not about how long PostgreSQL takes on a busy machine.
        configuration.timeout = .seconds(60)
        let committer = GroupCommitter(
            sink: FallbackSink(
                sink, spool: spool, breaker: breaker, configuration: configuration, logger: TestCluster.logger))
        async let spooled = committer.submit(one)
        async let stored = committer.submit(other)
        // Both wait before the committer runs, so they are one group.
        while await committer.depth.requests < 2 { try await Task.sleep(for: .milliseconds(1)) }
        async let running: Void = committer.run()
        #expect(try await stored.durability == .committed)
        #expect(try await spooled.durability == .spooled)
        await committer.close()
        await running
        #expect(!breaker.isOpen)
    }
}
