import Declarations
import Postgres
import TestSupport
import Testing

@testable import Storage

/// Tests that exports and erasures of devices, and work in the background, leave a connection to other apps.
struct ErasureShareTests {
    private let app: TestApp
    private let owner: ConnectionPool
    private let campaign = CampaignDeclaration(identifier: "spring", name: "spring")

    init() async throws {
        app = try await TestApp()
        owner = app.database.owner
    }

    private func connect() async throws -> Connection {
        try await Connection.open(PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
    }

    /// Adds rejected events of 40 KB that name the device `d-1`.
    private func reject(_ count: Int) async throws {
        try await app.superuserValue(
            """
            insert into afterpush.rejected_events (app_id, received_at, code, detail, event)
            select \(app.app.id), now(), 'kind_unknown', 'detail', 'd-1 ' || i || repeat('.', 40000)
            from generate_series(1, \(count)) as i
            """)
    }

    /// Waits until one task has a connection, and as many others wait for one.
    private func wait(for waiting: Int) async throws {
        try await app.waitUntil("\(waiting) wait for a connection") {
            let statistics = await owner.statistics
            return statistics.lent == 1 && statistics.waiting == waiting
        }
    }

    @Test func `exports of devices that take long leave a connection to another app`() async throws {
        let (app, owner) = (app, owner)
        let other = try await app.registry.createApp("other")
        let lock = try await connect()
        try await lock.script("begin; lock table afterpush.rejected_events in access exclusive mode")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    let records = try await DeviceRecords.open("d-1", app: app.app.id, pool: owner)
                    while try await records.next() != nil {}
                }
            }
            try await wait(for: 1)
            // Otherwise it would wait for a connection in vain, and fail.
            try await app.registry.putCampaign(campaign, app: other)
            try await lock.script("commit")
            try await group.waitForAll()
        }
        await lock.close()
    }

    @Test func `an erasure that looks at rejected events leaves a connection to another app`() async throws {
        let (app, owner, campaign) = (app, owner, campaign)
        let other = try await app.registry.createApp("other")
        try await reject(3)
        let eraser = try await eraserThatChecks()
        let numbers = try await app.superuserValue(
            "select string_agg(rejection_id::text, ' ' order by rejection_id) from afterpush.rejected_events")
        let ids = (numbers ?? "").split(separator: " ")
        try #require(ids.count == 3)
        let lock = try await connect()
        try await lock.script(
            "begin; select from afterpush.rejected_events where rejection_id = \(ids[1]) for update")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let step = try await eraser.step()
                #expect(step == .working)
            }
            // The database looks at each of the events with one statement, so that the first is erased meanwhile.
            let state = """
                select concat_ws(' ', rejected_checked, rejected, claimed_until > now())
                from afterpush.erasures
                """
            try await app.waitUntil("the first event is erased") {
                try await app.superuserValue(state) == "\(ids[0]) 1 t"
            }
            for _ in 0..<2 { group.addTask { try await app.registry.putCampaign(campaign, app: app.app) } }
            try await wait(for: 2)
            try await app.registry.putCampaign(campaign, app: other)
            #expect(await owner.statistics.lent == 1)
            try await lock.script("commit")
            try await group.waitForAll()
            #expect(
                try await app.superuserValue(
                    "select concat_ws(' ', rejected_checked, rejected, claimed_until) from afterpush.erasures")
                    == "\(ids[2]) 3")
        }
        #expect(try await app.superuserValue("select count(*) from afterpush.rejected_events") == "0")
        await lock.close()
    }

    /// Returns an eraser whose next step looks for the device `d-1` in rejected events.
    private func eraserThatChecks() async throws -> Eraser {
        try await app.superuserValue(
            """
            with suppressed as (
                insert into afterpush.suppressed_devices (app_id, device_hash, key_id)
                select \(app.app.id), 'd-1'::bytea, min(key_id)
                from afterpush.suppression_keys
                returning app_id, device_hash
            )
            insert into afterpush.erasures (app_id, device_hash, device_id, phase)
            select app_id, device_hash, 'd-1', 'checking_rejected'
            from suppressed
            """)
        return Eraser(worker: app.database.worker, owner: owner)
    }

    @Test func `retention that waits leaves a connection to apps`() async throws {
        let (app, campaign) = (app, campaign)
        let retention = Retention(
            pool: owner, owner: Database.backgroundOwner, RetentionPeriods(rejected: 86_400)
        ) {}
        let lock = try await connect()
        try await lock.script("begin; lock table afterpush.rejected_events in access exclusive mode")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 { group.addTask { _ = try await retention.plan() } }
            try await wait(for: 1)
            try await app.registry.putCampaign(campaign, app: app.app)
            try await lock.script("commit")
            try await group.waitForAll()
        }
        await lock.close()
    }
}

/// Tests how the rejected events of a page are divided among statements.
struct RejectedPageTests {
    private func rejectedPage(_ events: [(id: Int64, event: String?)]) -> RejectedPage {
        var page = RejectedPage()
        for (id, event) in events { page.add(id, event) }
        return page
    }

    @Test func `a part has at most 64 KiB of events that can mention a device, or one event`() async {
        let event = "d-1 " + String(repeating: ".", count: 30_000)
        let page = rejectedPage([
            (1, event), (2, "d-2"), (4, event), (5, event + event + event), (6, "d-1"), (7, nil), (8, event),
            (9, "d-2"),
        ])
        let parts = await page.parts(mentioning: ["d-1"])
        #expect(parts.map(\.ids) == [[1, 4], [5], [6, 8]])
        // The last one ends with the page, of which the rest need not be looked at.
        #expect(parts.map(\.last) == [4, 5, 9])
    }

    @Test func `a page in which no event can mention a device has one part, and an empty page none`() async {
        #expect(await rejectedPage([(3, "d-2"), (4, nil)]).parts(mentioning: ["d-1"]) == [.init(ids: [], last: 4)])
        #expect(await rejectedPage([]).parts(mentioning: ["d-1"]).isEmpty)
    }

    @Test func `many devices are looked for at once`() async {
        let devices = (0..<5_000).map { "device-\($0)" }
        let page = rejectedPage([(1, "x device-"), (2, "device-4711"), (3, "device-5000"), (4, "of device-4")])
        #expect(await page.parts(mentioning: devices) == [.init(ids: [2, 3, 4], last: 4)])
    }

    @Test func `events are left to the database for a device whose id has a backslash`() async {
        let parts = await rejectedPage([(1, "x"), (2, "y")]).parts(mentioning: ["d-1", #"d\1"#])
        #expect(parts == [.init(ids: [1, 2], last: 2)])
    }
}
