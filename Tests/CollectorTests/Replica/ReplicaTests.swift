import Foundation
import Postgres
import Reports
import Storage
import Synchronization
import TestSupport
import Testing

/// Tests reports, exports and live streams that are read from a streaming replica.
@Suite(.serialized) struct ReplicaTests {
    @Test func `reports and exports of the replica equal those of the primary, over HTTP and of the program`()
        async throws
    {
        try await ReplicatedCluster.with { cluster in
            let collector = try await cluster.collector()
            let direct = try await CollectorProcess(conninfo: cluster.app.conninfo)
            try await cluster.send(40, to: collector)
            let responses = (0..<12).map { number in
                EventJSON.event([
                    "device_id": "d\(number)", "user_text": "hello", "kind": "text_input",
                    "category_id": "chat", "action_identifier": "reply",
                ])
            }
            let posted = try await TestClient(url: collector.url).post(
                "/v1/events", EventJSON.body(responses + [["kind": "nonsense"]]), key: cluster.app.sendKey)
            #expect(posted.status == 200, "\(posted.text)")
            try await cluster.app.waitForRollups()
            try await cluster.standby.catchUp(with: cluster.app)

            let names = ReportService.builtInNames
            #expect(names.count > 10)
            // `health` has the times of now.
            var used = 0
            for name in names where name != "health" {
                let texts = try await [collector, direct].async { collector in
                    let path = "/v1/reports/\(name)?format=csv"
                    return try await TestClient(url: collector.url).get(path, key: cluster.app.readKey).text
                }
                #expect(texts[0] == texts[1], "\(name)")
                let outputs = try await [cluster.environment(), [:]].async { environment in
                    try await Program.run(
                        ["report", name, "--format", "csv", "--database-url", cluster.app.conninfo],
                        environment: environment)
                }
                #expect(outputs[0].status == 0, "\(name): \(outputs[0].error)")
                // On a busy machine, a check may time out; the report is then the primary's.
                if outputs[0].error.isEmpty { used += 1 }
                #expect(outputs[0].output == outputs[1].output && outputs[0].output == texts[0], "\(name)")
            }
            #expect(used > names.count / 2, "the program reads from the replica")
            for kind in ["events", "deliveries", "replies"] {
                let texts = try await [collector, direct].async { collector in
                    try await TestClient(url: collector.url).get("/v1/export/\(kind)", key: cluster.app.readKey).text
                }
                #expect(texts[0] == texts[1] && texts[0].count > 100, "\(kind)")
                let output = try await Program.run(
                    ["export", kind, "--database-url", cluster.app.conninfo], environment: cluster.environment())
                #expect(output.status == 0 && output.output == texts[0], "\(kind): \(output.error)")
            }
            #expect(try await cluster.metrics(collector).sum(of: "afterpush_replica_repeats_total") == 0)
            await collector.stop()
            await direct.stop()
        }
    }

    @Test func `as_of is never later than what the replica has replayed, and hardly earlier`() async throws {
        try await ReplicatedCluster.with { cluster in
            let collector = try await cluster.collector(maxLag: "3600")
            try await cluster.send(3, to: collector)
            try await cluster.standby.catchUp(with: cluster.app)
            #expect(try await cluster.sends(collector).count == 3)

            try await cluster.standby.pauseReplay()
            let paused = try await cluster.time()
            try await cluster.send(4, to: collector)
            let stale = try await cluster.sends(collector)
            #expect(stale.count == 3, "the report is read from the replica")
            #expect(stale.asOf <= paused, "\(stale.asOf) is later than \(paused)")
            let psql = try await cluster.standby.value(
                "select afterpush.as_of('shop') <= to_timestamp(\(paused.timeIntervalSince1970))")
            #expect(psql == "t")
            let direct = try await Program.run([
                "report", "conversion", "--min-n", "1", "--format", "csv", "--database-url", cluster.app.conninfo,
            ])
            #expect(direct.output.contains("7"), "\(direct.output)")
            let doctor = try await Program.run(
                ["doctor", "--database-url", cluster.app.conninfo], environment: cluster.environment(maxLag: "0.5"))
            #expect(
                doctor.output.contains(/\nwarn +reports_replica +it is .* behind, more than 0.5 s/), "\(doctor.output)")

            try await cluster.standby.resumeReplay()
            try await cluster.app.waitUntil("the replica has replayed the rest") {
                try await cluster.sends(collector).count == 7
            }
            // Nothing is stored any more, and as_of goes on all the same.
            try await Task.sleep(for: .seconds(7))
            let fresh = try await cluster.sends(collector)
            let age = fresh.asOf.distance(to: try await cluster.time())
            #expect(age < 6, "as_of is \(age) s old")
            await collector.stop()
        }
    }

    @Test func `no request fails when the replica ends, and it is used again when it is back`() async throws {
        try await ReplicatedCluster.with { cluster in
            let collector = try await cluster.collector()
            try await cluster.send(5, to: collector)
            try await cluster.standby.catchUp(with: cluster.app)
            let isDone = DoneFlag()
            async let asked: Int = {
                var requests = 0
                while !isDone.isSet {
                    try await withThrowingTaskGroup { group in
                        for _ in 0..<3 {
                            group.addTask { try await cluster.sends(collector).count }
                        }
                        group.addTask {
                            let export = try await TestClient(url: collector.url).get(
                                "/v1/export/events", key: cluster.app.readKey)
                            return export.text.split(separator: "\r\n").count - 1
                        }
                        for try await count in group { #expect(count == 5) }
                    }
                    requests += 4
                }
                return requests
            }()
            try await Task.sleep(for: .milliseconds(500))
            await cluster.standby.kill()
            try await cluster.wait(collector, isUsed: false)
            let metrics = try await cluster.metrics(collector)
            #expect(metrics[#"afterpush_replica_not_used{cause="away"}"#] == 1)
            #expect(metrics["afterpush_replica_lag_seconds"] == nil)
            try await Task.sleep(for: .seconds(2))
            let doctor = try await Program.run(
                ["doctor", "--database-url", cluster.app.conninfo], environment: cluster.environment())
            #expect(doctor.output.contains(/\nwarn +reports_replica +it can't be reached/), "\(doctor.output)")
            let report = try await Program.run(
                ["report", "overview", "--database-url", cluster.app.conninfo], environment: cluster.environment())
            #expect(report.status == 0 && report.error.contains("reports are read from the primary"), "\(report.error)")

            try await cluster.standby.start()
            try await cluster.wait(collector, isUsed: true)
            #expect(try await cluster.metrics(collector)[#"afterpush_replica_not_used{cause="away"}"#] == 0)
            isDone.set()
            #expect(try await asked > 20)
            let log = collector.errorOutput
            #expect(log.ranges(of: "reports are read from the primary instead of the replica").count == 1, "\(log)")
            #expect(log.ranges(of: "reports are read from the replica again").count == 1, "\(log)")
            #expect(!log.contains("request failed"), "\(log)")
            await collector.stop()
        }
    }

    @Test func `a replica that is too far behind is not used until it has caught up`() async throws {
        try await ReplicatedCluster.with { cluster in
            let collector = try await cluster.collector(maxLag: "2")
            try await cluster.send(3, to: collector)
            try await cluster.standby.catchUp(with: cluster.app)
            try await cluster.standby.pauseReplay()
            try await cluster.send(4, to: collector)
            try await cluster.wait(collector, isUsed: false)
            let metrics = try await cluster.metrics(collector)
            #expect(metrics[#"afterpush_replica_not_used{cause="behind"}"#] == 1)
            #expect(metrics["afterpush_replica_lag_seconds"] ?? 0 > 2)
            #expect(try await cluster.sends(collector).count == 7, "the report is read from the primary")
            try await cluster.standby.resumeReplay()
            try await cluster.wait(collector, isUsed: true)
            #expect(try await cluster.sends(collector).count == 7)
            #expect(collector.errorOutput.contains(#""cause":"behind""#))
            await collector.stop()
        }
    }

    @Test func `another database, a promoted copy and a replica of that copy are never used`() async throws {
        try await ReplicatedCluster.with { cluster in
            let other = try await TestCluster.database()
            let collector = try await CollectorProcess(
                conninfo: cluster.app.conninfo, environment: ["AFTERPUSH_REPORTS_DATABASE_URL": other])
            try await cluster.app.waitUntil("it is recognized") {
                try await cluster.metrics(collector)[#"afterpush_replica_not_used{cause="foreign"}"#] == 1
            }
            try await cluster.send(2, to: collector)
            #expect(try await cluster.sends(collector).count == 2)
            await collector.stop()

            let second = try await cluster.collector()
            try await cluster.standby.catchUp(with: cluster.app)
            try await cluster.standby.promote()
            try await cluster.wait(second, isUsed: false)
            try await cluster.send(3, to: second)
            #expect(try await cluster.sends(second).count == 5)
            let doctor = try await Program.run(
                ["doctor", "--database-url", cluster.app.conninfo], environment: cluster.environment())
            #expect(doctor.output.contains(/\nfail +reports_replica +it is no replica/), "\(doctor.output)")
            await second.stop()

            let copy = try await StandbyServer(of: cluster.standby.conninfo)
            let staging = try await CollectorProcess(
                conninfo: cluster.standby.conninfo, environment: ["AFTERPUSH_REPORTS_DATABASE_URL": copy.conninfo])
            try await cluster.wait(staging, isUsed: true)
            let third = try await CollectorProcess(
                conninfo: cluster.app.conninfo, environment: ["AFTERPUSH_REPORTS_DATABASE_URL": copy.conninfo])
            try await cluster.app.waitUntil("its mark is not the primary's") {
                try await cluster.metrics(third)[#"afterpush_replica_not_used{cause="foreign"}"#] == 1
            }
            #expect(try await cluster.sends(third).count == 5)
            await third.stop()
            await staging.stop()
            await copy.kill()
        }
    }

    @Test func `old sessions of a report login on the replica are ended`() async throws {
        try await ReplicatedCluster.with { cluster in
            let (name, conninfo) = try await cluster.app.makeReportLogin()
            try await cluster.standby.catchUp(with: cluster.app)
            let address = try #require(cluster.standby.conninfo.firstMatch(of: /host='[^']+'/)?.output)
            let session = try await Connection.open(
                PostgresConfiguration(conninfo: conninfo.replacing(/host='[^']+'/, with: address)),
                logger: TestCluster.logger)
            try await session.script("begin; select count(*) from afterpush.events")
            let database = Database(
                conninfo: cluster.app.conninfo, replica: (cluster.standby.conninfo, .seconds(60)),
                logger: TestCluster.logger)
            let checks = try #require(database.replica?.checks)
            let worker = ReportSessionWorker(pool: checks, maximumAge: .seconds(1), logger: TestCluster.logger)
            try await Task.sleep(for: .seconds(1))
            #expect(try await worker.endOldSessions() == [name])
            await #expect(throws: PostgresError.self) { try await session.script("select 1") }
            await database.shutdown()
            await session.close()
        }
    }

    @Test func `a live stream of the replica has the new events, and goes on when the replica ends`() async throws {
        try await ReplicatedCluster.with { cluster in
            let collector = try await cluster.collector()
            let stream = try await LiveStream(
                port: collector.port, "Authorization: Bearer \(cluster.app.readKey)")
            _ = try #require(await stream.text(until: "data: "))
            try await cluster.send(3, to: collector)
            _ = try await stream.summaries(until: 3)
            let user = try await cluster.standby.value(
                "select count(*) from pg_stat_activity where application_name = 'afterpush replica_live'")
            #expect(user == "1")
            await cluster.standby.kill()
            try await cluster.wait(collector, isUsed: false)
            try await cluster.send(4, to: collector)
            // None of the earlier ones is in it again.
            let (summaries, _) = try await stream.summaries(until: 4)
            #expect(summaries.reduce(0) { $0 + $1.accepted } == 4)
            await collector.stop()
        }
    }

    @Test func `an invalid address of the replica is refused, and not repeated`() async throws {
        let result = try await Program.run(
            ["report", "overview"],
            environment: [
                "AFTERPUSH_REPORTS_DATABASE_URL": "host=a nonsense=canary", "AFTERPUSH_DATABASE_URL": "host=/nowhere",
            ])
        #expect(result.status != 0 && result.error.contains("reports.database.url"), "\(result.error)")
        #expect(!result.error.contains("canary"))
    }
}

extension Sequence where Self: Sendable, Element: Sendable {
    /// Transforms the elements one after another.
    fileprivate func async<T>(_ transform: (Element) async throws -> T) async throws -> [T] {
        var results: [T] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
