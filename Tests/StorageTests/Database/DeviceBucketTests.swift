import Events
import Postgres
import Storage
import TestSupport
import Testing

/// Tests the sums by device bucket: packing, merging, settling, and what erasure leaves of them.
@Suite struct DeviceBucketTests {
    /// The counts by device bucket, as reports read them: kinds, modes, actions, and the buckets that are not empty.
    private static let counts = """
        select coalesce(string_agg(concat_ws(' ', kinds, modes, actions, buckets), '; ' order by kinds, modes), '')
        from (
            select
                kinds, modes, actions,
                (
                    select string_agg(bucket - 1 || ':' || n, ',' order by bucket)
                    from unnest(afterpush.unpacked_buckets(sum(device_buckets))) with ordinality as u (n, bucket)
                    where n > 0
                ) as buckets
            from afterpush.device_bucket_counts
            group by 1, 2, 3
            having sum(device_buckets) <> 0
        ) as counted
        """

    private func sent(_ device: String, _ notification: String = "n") -> [String: any Sendable] {
        EventJSON.event(["kind": "sent", "device_id": device, "notification_id": notification])
    }

    /// `device` has bucket 60, `device-1` 78, `a` 77.
    @Test func `deliveries are counted in the bucket of their device, before and after the changes are settled`()
        async throws
    {
        let app = try await TestApp()
        try await app.store([sent("device"), sent("device", "n2"), sent("device-1"), sent("a")])
        try await app.rollUp()
        try await app.store([
            EventJSON.event(["kind": "delivered", "device_id": "device", "notification_id": "n"]),
            EventJSON.event([
                "kind": "action", "action_identifier": "book", "device_id": "a", "notification_id": "n",
            ]),
        ])
        try await app.rollUp()
        #expect(try await app.value("select count(*) > 0 from afterpush.rollup_device_changes") == "t")
        let noted = try await app.value(Self.counts)
        #expect(noted?.contains("60:1,78:1") == true, "\(noted ?? "")")

        // Nothing waits, so this run settles the changes.
        try await RollupWorker(pool: app.database.worker, logger: TestCluster.logger).rollUp()
        #expect(try await app.value("select count(*) from afterpush.rollup_device_changes") == "0")
        #expect(try await app.value(Self.counts) == noted)
        #expect(try await app.value("select count(*) > 0 from afterpush.rollup_device_bucket_totals") == "t")
        #expect(try await app.maintenance.verify().isEmpty)
        try await app.maintenance.rebuild()
        #expect(try await app.value(Self.counts) == noted)
    }

    @Test func `a device that takes the place of another is counted though the number of deliveries stays`()
        async throws
    {
        let app = try await TestApp()
        try await app.store([sent("device"), sent("a")])
        try await app.rollUp()
        let read = ["kind": "read", "notification_id": "n"]
        // One leaves the group of those that were only sent, another comes.
        try await app.store([EventJSON.event(read.merging(["device_id": "a"]) { $1 }), sent("device-1")])
        try await app.rollUp()
        #expect(try await app.maintenance.verify().isEmpty)
    }

    @Test func `while many changes are noted, an app settles as many as it notes, and none of another app`()
        async throws
    {
        let shop = try await TestApp(named: "shop")
        let news = try await TestApp(named: "news", conninfo: shop.conninfo)
        func noted(_ app: TestApp) async throws -> Int {
            let rows = "select count(*) from afterpush.rollup_device_changes where app_id = \(app.app.id)"
            return Int(try await app.value(rows) ?? "") ?? 0
        }
        /// Merges batches of one slice, which settles nothing else.
        func merge(_ events: [[String: any Sendable]]) async throws {
            try await shop.store(events, eventsPerSlice: 1)
            _ = try await shop.value("select afterpush.roll_up(1000, slices => '{0,1,2,3}')")
        }
        let devices = (0..<40).map { "device-\($0)" }
        try await news.store([sent("device")])
        _ = try await news.value("select afterpush.roll_up(1000)")
        try await merge(devices.map { sent($0) })
        let before = try await (noted(shop), noted(news))
        #expect(before.0 > 0 && before.1 == 1)
        let hasMany = "create or replace function afterpush.has_many_device_changes() returns boolean language sql"
        try await TestCluster.script("\(hasMany) return true", on: shop.conninfo)
        for kind in ["delivered", "opened"] {
            try await merge(
                devices.map { EventJSON.event(["kind": kind, "device_id": $0, "notification_id": "n"]) })
            let after = try await (noted(shop), noted(news))
            #expect(after.0 <= before.0 && after.1 == 1, "\(kind): \(after), before \(before)")
        }
        let counts = try await shop.value(Self.counts)
        // Nothing waits, so this run settles the rest.
        try await RollupWorker(pool: shop.database.worker, logger: TestCluster.logger).rollUp()
        #expect(try await noted(shop) == 0)
        #expect(try await noted(news) == 0)
        #expect(try await shop.value(Self.counts) == counts)
        #expect(try await shop.maintenance.verify().map { "\($0)" } == [])
    }

    @Test func `an anonymous delivery id keeps nothing but the bucket`() async throws {
        let app = try await TestApp()
        let kept = try await app.value(
            """
            select count(*) filter (where afterpush.device_bucket(new) = afterpush.device_bucket(old)) || ' '
                || count(distinct left(new::text, 34)) || ' '
                || count(*) filter (where left(new::text, 8) = left(old::text, 8))
            from (
                select old, afterpush.anonymous_delivery_id(old) as new
                from (select gen_random_uuid() as old from generate_series(1, 1000)) as ids
            ) as erased
            """)
        #expect(kept == "1000 1000 0")
    }

    @Test func `packed buckets are unpacked as they were, and differences of them too`() async throws {
        let app = try await TestApp()
        let same = try await app.value(
            """
            with counted as (
                select array_agg(n::bigint order by bucket) as buckets, sum((n || 'e' || 8 * bucket)::numeric) as packed
                from (
                    select bucket, case when bucket % 3 = 0 then 99999999 else bucket * 1000 end as n
                    from generate_series(0, 127) as bucket
                ) as b
            )
            select
                afterpush.unpacked_buckets(packed) = buckets
                and afterpush.unpacked_buckets(packed + packed - packed) = buckets
                and afterpush.unpacked_buckets(0) = array_fill(0::bigint, array[128])
                and afterpush.packed_buckets('\\x00ff7f00') = 2 + 2 * 1e1016
                and afterpush.packed_buckets('') = 0
                and afterpush.unpacked_buckets(-1) is null
                and afterpush.unpacked_buckets(1e1024) is null
            from counted
            """)
        #expect(same == "t")
    }
}
