import Events
import Foundation
import Storage
import TestSupport
import Testing

/// Tests that reports read rollups, and what rollups preserve.
@Suite struct ReportRollupTests {
    /// An app with a delivery that was sent, confirmed and answered, and an event about the device only; rolled up.
    ///
    /// The events are old, because reports read hours for the day in which response windows end at present.
    private func app() async throws -> TestApp {
        let app = try await TestApp()
        let events = [
            ["kind": "sent", "campaign_id": "spring"], ["kind": "delivered"],
            ["kind": "action", "action_identifier": "book"], ["kind": "app_opened", "platform": "ios"],
        ].map { EventJSON.event($0.merging(["occurred_at": "2026-11-01T10:00:00Z"]) { $1 }) }
        #expect(try await app.store(events) == events.count)
        try await app.rollUp()
        return app
    }

    private func rows(
        of report: String, _ app: TestApp, _ variables: [String: String] = [:], prefix: String = "", suffix: String = ""
    ) async throws -> [[String?]] {
        let file = Program.root.appending(path: "sql/reports/\(report).sql")
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let start = lines.lastIndex { $0.hasPrefix("\\if") || $0.hasSuffix("\\gset") }.map { $0 + 1 } ?? 0
        let text = (lines[..<start] + [Substring(prefix)] + lines[start...] + [Substring(suffix)]).joined(
            separator: "\n")
        let place = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sql")
        try text.write(to: place, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: place) }
        let output = try await Program.psql(
            app.conninfo, file: place.path, variables: variables.merging(["app": "shop"]) { $1 })
        return CSV.parse(output)
    }

    @Test(arguments: [
        ("conversion", [:]), ("conversion", ["by": "campaign"]), ("actions", [:]), ("funnel", [:]), ("timeseries", [:]),
        ("timeseries", ["campaign": "spring"]), ("heatmap", [:]), ("value", [:]),
    ])
    func `a report with rollups reads neither events nor deliveries`(
        report: String, variables: [String: String]
    ) async throws {
        let reads = try await reads(of: report, try await app(), variables)
        #expect(reads.contains { $0.table.hasPrefix("rollup_") }, "\(reads)")
        #expect(!reads.contains { $0.table.hasPrefix("events") || $0.table == "deliveries" }, "\(reads)")
    }

    @Test(arguments: [false, true])
    func `the overview of many deliveries reads those of some devices to count them`(verified: Bool) async throws {
        let app = try await app()
        // Three deliveries to each of 20,000 devices. Neither deliveries of other apps, which are millions by the table's
        // statistics, nor unverified ones where verified ones are selected, change which devices are read.
        try await TestCluster.script(
            """
            insert into afterpush.deliveries (
                delivery_id, app_id, kinds, verified_kinds, platform_source_rank, app_version_source_rank,
                campaign_source_rank, category_source_rank, first_event_at, sent_at, verified_sent_at, device_id,
                device_number, last_stored_hour
            )
            select gen_random_uuid(), \(app.app.id), 1, 1, 1, 1, 1, 1, '2026-11-02 00:00Z', '2026-11-02 00:00Z', '2026-11-02 00:00Z',
                'd' || n % 20000, afterpush.device_number('d' || n % 20000), '2026-11-02 00:00Z'
            from generate_series(1, 60000) as n;
            analyze afterpush.deliveries;
            update pg_class set reltuples = 1e7 where oid = 'afterpush.deliveries'::regclass;
            insert into afterpush.rollup_campaign_days
            values
                (\(app.app.id), true, '2026-11-02 00:00Z', '', 60000, 60000, 0, 0, 0),
                (\(app.app.id), false, '2026-11-02 00:00Z', '', \(verified ? 10_000_000 : 60_000), 60000, 0, 0, 0);
            """, on: app.conninfo)
        let place = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sql")
        defer { try? FileManager.default.removeItem(at: place) }
        try """
        begin;
        set local enable_seqscan = off;
        select devices, deliveries_per_device, deliveries_per_sent_device
        from afterpush.report_devices(
            'shop', null, null, null, null, null, null, \(verified), array[row(null, 'sent')::afterpush.campaign_base], '',
            'UTC', totals => true
        );
        select idx_tup_fetch as fetched from pg_stat_xact_user_tables where relname = 'deliveries';
        commit;
        """.write(to: place, atomically: true, encoding: .utf8)
        let rows = CSV.parse(try await Program.psql(app.conninfo, file: place.path))
        let values = rows.first { $0.count == 3 && $0[0] == nil } ?? []
        #expect(values.dropFirst() == ["3", "3"], "\(rows)")
        let fetched = rows.compactMap { $0.first.flatMap { $0.flatMap { Int($0) } } }.max() ?? 0
        // Those of one in 32 devices, about 1,900 of 60,000: one in 128 would be fewer than 1,000.
        #expect((1_500...2_300).contains(fetched), "\(rows)")
    }

    @Test(arguments: [
        ("conversion", [:]), ("overview", [:]), ("funnel", ["by": "campaign"]), ("actions", [:]),
    ])
    func `a report reads days if it needs no hours`(report: String, variables: [String: String]) async throws {
        let reads = try await reads(of: report, try await app(), variables)
        #expect(reads.contains { $0.table.hasSuffix("_days") && $0.rows > 0 }, "\(reads)")
        let hours = [
            "rollup_delivery_counts", "rollup_app_version_counts", "rollup_action_counts", "rollup_response_counts",
        ]
        #expect(!reads.contains { hours.contains($0.table) && $0.rows > 0 }, "\(reads)")
    }

    @Test(arguments: [("", "rollup_response_days"), ("hour", "rollup_response_counts")])
    func `response times of many deliveries are read from rollups`(by: String, read: String) async throws {
        let app = try await app()
        let arguments = "'shop', null, null, null, null, null, null, false, '\(by)', 'UTC', 'auto'"
        let rows = try await query(
            app,
            """
            begin;
            set local enable_seqscan = off;
            select clock from afterpush.report_times(\(arguments), 0);
            select relname
            from pg_stat_xact_user_tables
            where schemaname = 'afterpush' and seq_tup_read + coalesce(idx_tup_fetch, 0) > 0;
            commit;
            """
        ).compactMap { $0.first ?? nil }
        #expect(rows.contains("confirmed") && rows.contains(read), "\(rows)")
        #expect(!rows.contains { $0.hasPrefix("events") || $0 == "deliveries" }, "\(rows)")
    }

    /// Two weeks of deliveries, rolled up in seven merges. Of a hundred, 95 were sent, 70 confirmed, 50 answered after up to
    /// a day, 6 replaced, and 2 refused.
    private func weeks() async throws -> TestApp {
        let app = try await TestApp()
        try await TestCluster.script(
            """
            select afterpush.ensure_partitions(now(), 2, 1);
            create temporary table made as
            select
                n, gen_random_uuid() as delivery_id, place,
                now() - n * interval '1 minute' as sent_at,
                now() - n * interval '1 minute' + (n * 7 % 40) * interval '1 second' as confirmed_at,
                now() - n * interval '1 minute' + exp(n * 31 % 997 / 997.0 * 11) * interval '1 second' as responded_at
            from generate_series(1, 20000) as n
            cross join lateral (select n * 37 % 100 as place) as p;
            create temporary table told (n, delivery_id, kind, at) as
            select n, delivery_id, 'sent', sent_at from made where place < 95
            union all
            select n, delivery_id, 'delivered', confirmed_at from made where place between 30 and 99
            union all
            select n, delivery_id, 'opened', responded_at from made where place between 10 and 59
            union all
            select n, delivery_id, 'replaced', sent_at + n % 9000 * interval '1 second'
            from made
            where place between 60 and 65
            union all
            select n, delivery_id, 'failed', sent_at + interval '2 seconds' from made where place < 2;
            insert into afterpush.batches (batch_id, app_id, started_at, events, duplicates, conflicts, rejected)
            select 1 + batch, \(app.app.id), now(), count(*), 0, 0, 0
            from (select (n + length(kind)) % 7 as batch from told where at < now()) as t
            group by batch;
            insert into afterpush.events (
                delivery_id, event_id, device_time, occurred_at, batch_id, app_id, kind, verified, device_id,
                notification_id, campaign_id, platform, app_version
            )
            select
                delivery_id, gen_random_uuid(), at, at, 1 + (n + length(kind)) % 7, \(app.app.id),
                kind::afterpush.event_kind, kind = 'sent' or n % 2 = 0, 'd' || n, 'n', 'c' || n % 3, 'ios', n % 2
            from told
            where at < now();
            """, on: app.conninfo)
        try await app.rollUp()
        return app
    }

    @Test(arguments: ["auto", "confirmed", "sent"], ["", "campaign", "app_version"])
    func `response times from rollups are those of the deliveries, at most 5 % off`(clock: String, by: String)
        async throws
    {
        let app = try await weeks()
        let arguments = "'shop', null, null, null, null, null, null, verified, '\(by)', 'UTC', '\(clock)'"
        let rows = try await query(
            app,
            """
            select
                'compared',
                count(*),
                count(*) filter (
                    where (e.responded, e.timed, e.clock) is distinct from (r.responded, r.timed, r.clock)
                       or r.timed < 500
                ),
                max(abs(r.p50_seconds / e.p50_seconds - 1)),
                max(abs(r.p90_seconds / e.p90_seconds - 1)),
                max(abs(r.p99_seconds / e.p99_seconds - 1))
            from unnest(array[false, true]) as verified
            cross join lateral afterpush.report_times(\(arguments)) as e
            left join lateral afterpush.report_times(\(arguments), -1) as r
                on (r.campaign_id, r.app_version) is not distinct from (e.campaign_id, e.app_version);
            """)
        let row = try #require(rows.first { $0.first == "compared" })
        // No response of the second version is verified.
        #expect(row[1] == (by.isEmpty ? "2" : by == "campaign" ? "6" : "3"))
        #expect(row[2] == "0", "\(row)")
        for off in row[3...] {
            #expect(try #require(off.flatMap { Double($0) }) < 0.05, "\(row)")
        }
    }

    @Test(arguments: ["confirmed", "sent"], ["null", "'1'"])
    func `the curve from rollups is that of the deliveries`(clock: String, version: String) async throws {
        let app = try await weeks()
        // Both curves at the same times, whose buckets are complete.
        let rows = try await query(
            app,
            """
            with exact as materialized (
                select * from afterpush.report_response_curve(
                    'shop', null, null, null, null, null, null, false, '\(clock)', only_app_version => \(version))
            ),
            rollups as materialized (
                select * from afterpush.report_response_curve(
                    'shop', null, null, null, null, null, null, false, '\(clock)', -1, \(version))
            )
            select
                'compared',
                count(*),
                max(abs(r.survival - (
                    select min(e.survival) from exact as e where e.seconds <= r.seconds * sqrt(1.08))
                )),
                (select sum(responded) from rollups) - (select sum(responded) from exact)
            from rollups as r
            where r.seconds > 1;
            """)
        let row = try #require(rows.first { $0.first == "compared" })
        #expect(try #require(row[1].flatMap { Int($0) }) > 50, "\(row)")
        #expect(try #require(row[2].flatMap { Double($0) }) < 0.01, "\(row)")
        #expect(row[3] == "0", "\(row)")
    }

    @Test func `response times outlive their deliveries`() async throws {
        let app = try await weeks()
        let text = """
            select 'kept', clock, responded, timed, p50_seconds, p90_seconds, p99_seconds
            from afterpush.report_times('shop', null, null, 'c1', null, null, null, false, '', 'UTC', 'auto', %@);
            """
        let rollups = try await query(app, text.replacing("%@", with: "-1")).filter { $0.first == "kept" }
        // Retention purges deliveries of sealed hours.
        try await TestCluster.script(
            "update afterpush.rollup_worker set sealed_before = now(); delete from afterpush.deliveries",
            on: app.conninfo)
        let purged = try await query(app, text.replacing("%@", with: "100000")).filter { $0.first == "kept" }
        #expect(purged == rollups && purged.count == 1, "\(purged) \(rollups)")
        #expect(purged.first?[1] == "confirmed")
    }

    @Test func `unverified deliveries don't decide whether a report with verified reads deliveries`() async throws {
        let app = try await TestApp()
        func confirm(_ numbers: ClosedRange<Int>, at time: String, scope: Scope) async throws {
            let events = numbers.map {
                EventJSON.event([
                    "kind": "delivered", "notification_id": "n\($0)", "device_id": "d\($0)", "occurred_at": time,
                ])
            }
            try await app.store(events, scope: scope)
            try await app.rollUp()
        }
        func keeps(verified: Bool, atMost limit: Int) async throws -> String? {
            try await app.value(
                """
                select afterpush.report_keeps_deliveries(
                    \(app.app.id), null, null, null, null, null, null, \(verified), \(limit)
                )
                """)
        }
        try await confirm(1...5, at: "2026-11-01T10:00:00Z", scope: .send)
        try await confirm(11...30, at: "2026-11-01T09:00:00Z", scope: .ingest)
        #expect(try await keeps(verified: true, atMost: 10) == "t")
        #expect(try await keeps(verified: true, atMost: 4) == "f")
        #expect(try await keeps(verified: false, atMost: 10) == "f")
        #expect(try await keeps(verified: false, atMost: 25) == "t")
        // Retention purges whole hours that are sealed. This one had no verified delivery.
        try await TestCluster.script(
            """
            update afterpush.rollup_worker set sealed_before = now();
            delete from afterpush.deliveries where verified_kinds = 0
            """, on: app.conninfo)
        #expect(try await keeps(verified: true, atMost: 10) == "t")
        #expect(try await keeps(verified: false, atMost: 25) == "f")
    }

    private func query(_ app: TestApp, _ text: String) async throws -> [[String?]] {
        let place = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sql")
        defer { try? FileManager.default.removeItem(at: place) }
        try text.write(to: place, atomically: true, encoding: .utf8)
        return CSV.parse(try await Program.psql(app.conninfo, file: place.path))
    }

    private struct Read {
        let table: String
        let rows: Int
    }

    /// The tables that a report reads, with the number of rows. What its functions read is not in the plan, but in the
    /// table statistics.
    ///
    /// Without sequential scans, because they would be the best plan for little data.
    private func reads(of report: String, _ app: TestApp, _ variables: [String: String]) async throws -> [Read] {
        let counted = """
            select 'read', relname, seq_tup_read + coalesce(idx_tup_fetch, 0)
            from pg_stat_xact_user_tables
            where schemaname = 'afterpush' and seq_scan + coalesce(idx_scan, 0) > 0;
            """
        let begin = "begin; set local enable_seqscan = off;"
        return try await rows(of: report, app, variables, prefix: begin, suffix: counted).compactMap { row in
            guard row.first == "read", row.count == 3, let table = row[1], let rows = row[2] else { return nil }
            return Read(table: table, rows: Int(rows) ?? 0)
        }
    }

    @Test func `events that were erased with their device are still counted`() async throws {
        let app = try await app()
        let before = try await rows(of: "timeseries", app)
        #expect(before.count == 2)
        try await TestCluster.script(
            """
            select
                afterpush.preserve_event_counts(ids, event_ids, device_times),
                afterpush.add_to_rollup_event_checks(afterpush.event_checks_of(ids, '-infinity', -1)),
                afterpush.add_to_rollup_names(afterpush.name_counts_of(ids, '-infinity', -1))
            from (
                select
                    array_agg(delivery_id) as ids, array_agg(event_id) as event_ids,
                    array_agg(device_time) as device_times
                from afterpush.events
            ) as e;
            delete from afterpush.events;
            update afterpush.deliveries
            set delivery_id = afterpush.anonymous_delivery_id(delivery_id), device_id = null, device_number = null,
                notification_id = null;
            """, on: app.conninfo)
        #expect(try await rows(of: "timeseries", app) == before)
        #expect(try await app.maintenance.verify().isEmpty)
        try await app.maintenance.rebuild()
        #expect(try await rows(of: "timeseries", app) == before)
        #expect(try await app.maintenance.verify().isEmpty)
    }

    @Test(arguments: [(1_000, 1_000...1_000), (1_500, 20...200)])
    func `the curve has a row for each time, or fewer rows with the same sums for more than 1,000 times`(
        times: Int, expected: ClosedRange<Int>
    ) async throws {
        let app = try await TestApp()
        // There are three times as many deliveries; a third responded, the n-th after n seconds.
        try await TestCluster.script(
            """
            insert into afterpush.deliveries (
                delivery_id, app_id, kinds, verified_kinds, platform_source_rank, app_version_source_rank, campaign_source_rank,
                category_source_rank, first_event_at, sent_at, responded_at, device_id, device_number,
                last_stored_hour
            )
            select
                gen_random_uuid(), \(app.app.id), case when n <= \(times) then 33 else 1 end, 0, 4, 4, 4, 4,
                '2026-11-01 00:00Z', '2026-11-01 00:00Z',
                case when n <= \(times) then timestamptz '2026-11-01 00:00Z' + n * interval '1 second' end, 'd',
                afterpush.device_number('d'), '2026-11-01 00:00Z'
            from generate_series(1, \(3 * times)) as n
            """, on: app.conninfo)
        // These deliveries are in no rollup, which otherwise decide on the clock.
        let curve = try await rows(of: "response-time", app, ["curve": "true", "clock": "sent"]).dropFirst()
        #expect(expected.contains(curve.count), "\(curve.count)")
        #expect(curve.compactMap { $0[2].flatMap { Int($0) } }.reduce(0, +) == times)
        let last = try #require(curve.last)
        #expect(last[0].flatMap { Double($0) } == Double(times))
        // No delivery is censored before the last response, so the estimate is the plain share.
        let survival = try #require(last[3].flatMap { Double($0) })
        #expect(abs(survival - 2.0 / 3) < 1e-9)
    }
}
