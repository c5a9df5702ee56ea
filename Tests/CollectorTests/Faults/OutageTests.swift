import AfterpushWire
import Foundation
import Glibc
import Postgres
import Storage
import TestSupport
import Testing

extension Faults {
    /// Tests E11 and E12: PostgreSQL is stopped, hangs or is read-only and recovers, while collectors are killed.
    @Suite struct OutageTests {
        private func body(_ count: Int = 3) throws -> Data {
            try EventJSON.body((0..<count).map { _ in EventJSON.event() })
        }

        /// Waits for the state, which is updated once per second.
        private func expectReady(_ collector: CollectorProcess, _ app: TestApp, _ status: Int, _ text: String)
            async throws
        {
            try await app.waitUntil(text) {
                let response = try await TestClient(url: collector.url).get("/readyz", key: nil)
                return response.status == status && response.text == text
            }
        }

        /// Posts once with the send key, and returns the response and its time.
        private func post(
            _ collector: CollectorProcess, _ app: TestApp, _ body: Data
        ) async throws -> (response: TestClient.Response, took: Duration) {
            let start = ContinuousClock.now
            let response = try await TestClient(url: collector.url).post("/v1/events", body, key: app.sendKey)
            return (response, start.duration(to: .now))
        }

        /// The output of `afterpush doctor` about a spool, without a reachable database.
        private func doctor(_ spool: String) async throws -> String {
            let output = try await Program.run(
                ["doctor", "--data-dir", spool],
                environment: ["AFTERPUSH_SPOOL_DIR": spool, "AFTERPUSH_DATABASE_URL": ""])
            return output.output.split(separator: "\n").first { $0.contains("spool ") }.map(String.init)
                ?? output.output
        }

        @Test func `E11: events are spooled while PostgreSQL is down, and each is stored once when it is back`()
            async throws
        {
            let outage = try await OutageCluster()
            let load = OutageLoad(outage.app, events: 3_000, seed: 21)
            let spool = CollectorProcess.spoolDirectory()
            var collector = try await CollectorProcess(conninfo: outage.app.conninfo, spool: spool)
            let port = collector.port
            // From now on the key is cached.
            #expect(try await post(collector, outage.app, Data("[]".utf8)).response.status == 200)
            try await outage.stop()
            try await load.post(to: port)
            #expect(load.spooledRequests == load.acknowledgedRequests)
            try await expectReady(collector, outage.app, 200, "ready: spooling, PostgreSQL is away\n")
            let diagnosis = try await doctor(spool)
            let waiting = try #require(diagnosis.firstMatch(of: /(\d+) events wait/)?.1)
            #expect(Int(waiting) == load.acknowledgedEvents, "\(diagnosis)")

            // Killed with all events in the spool, and repeatedly while it drains.
            await collector.kill()
            try await outage.start()
            for _ in 0..<4 {
                collector = try await CollectorProcess(conninfo: outage.app.conninfo, port: port, spool: spool)
                try await Task.sleep(for: .milliseconds(Int.random(in: 5...60)))
                await collector.kill()
            }
            collector = try await CollectorProcess(conninfo: outage.app.conninfo, port: port, spool: spool)
            try await load.expectEverythingOnce()
            #expect(await collector.stop() == 0)
            await outage.close()
            try? FileManager.default.removeItem(atPath: spool)
        }

        @Test func `E11: a collector that is killed while it spools loses no acknowledged event`() async throws {
            let outage = try await OutageCluster()
            let load = OutageLoad(outage.app, events: 2_000, seed: 22, isHeld: true)
            let spool = CollectorProcess.spoolDirectory()
            var collector = try await CollectorProcess(conninfo: outage.app.conninfo, spool: spool)
            let port = collector.port
            async let posted: Void = load.post(to: port)
            for _ in 0..<3 {
                // A collector needs the database at its start, and cached keys during an outage.
                let known = load.acknowledgedRequests
                load.release(10)
                try await outage.app.waitUntil("the collector knows the key") { load.acknowledgedRequests > known }
                let spooled = load.spooledRequests
                try await outage.stop()
                load.release(20)
                try await outage.app.waitUntil("the collector spools") { load.spooledRequests > spooled }
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...200)))
                await collector.kill()
                try await outage.start()
                collector = try await CollectorProcess(conninfo: outage.app.conninfo, port: port, spool: spool)
            }
            load.release()
            try await posted
            try await load.expectEverythingOnce()
            await collector.stop()
            await outage.close()
            try? FileManager.default.removeItem(atPath: spool)
        }

        @Test
        func
            `E11: a collector without a spool refuses events immediately while PostgreSQL is down, and accepts them later`()
            async throws
        {
            let outage = try await OutageCluster()
            let collector = try await CollectorProcess(conninfo: outage.app.conninfo)
            let body = try body()
            #expect(try await post(collector, outage.app, Data("[]".utf8)).response.status == 200)
            try await outage.stop()
            for _ in 0..<5 {
                let (response, took) = try await post(collector, outage.app, body)
                #expect(response.status == 503)
                #expect(response.headers["retry-after"] != nil)
                #expect(took < .seconds(1))
            }
            try await expectReady(collector, outage.app, 503, "not ready\n")
            #expect(try await TestClient(url: collector.url).get("/livez", key: nil).status == 200)
            try await outage.start()
            try await outage.app.waitUntil("events are taken") {
                try await post(collector, outage.app, body).response.status == 200
            }
            #expect(try await outage.app.value("select count(*) from afterpush.events") == "3")
            await collector.stop()
            await outage.close()
        }

        @Test func `E11: events are spooled while the database is read-only`() async throws {
            let app = try await TestApp()
            let spool = CollectorProcess.spoolDirectory()
            defer { try? FileManager.default.removeItem(atPath: spool) }
            let collector = try await CollectorProcess(conninfo: app.conninfo, spool: spool)
            #expect(try await post(collector, app, body()).response.status == 200)
            // The database is identified only by its name in the connection string.
            let name = try #require(try await app.value("select current_database()"))
            try await TestCluster.script(
                "alter database \(name) set default_transaction_read_only = on", on: app.conninfo)
            // Also for existing sessions.
            _ = try await TestCluster.script(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = '\(name)' and pid <> pg_backend_pid()",
                on: app.conninfo)
            let bad = try EventJSON.body([EventJSON.event(["event_id": "no"])])
            let (response, _) = try await post(collector, app, body(4))
            #expect(response.status == 202)
            #expect(try response.json()["accepted"] as? Int == 4)
            #expect(try response.json()["durability"] as? String == "spooled")
            let refused = try await post(collector, app, bad).response
            #expect(refused.status == 422)
            #expect(try refused.rejections() == [0: "event_id_invalid"])
            try await expectReady(collector, app, 200, "ready: spooling, PostgreSQL is away\n")
            #expect(try await app.value("select count(*) from afterpush.events") == "3")

            try await TestCluster.script(
                """
                begin transaction read write;
                alter database \(name) reset default_transaction_read_only;
                commit
                """,
                on: app.conninfo)
            _ = try? await TestCluster.script(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = '\(name)' and pid <> pg_backend_pid()",
                on: app.conninfo)
            try await app.waitUntil("what was spooled is stored") {
                try await app.value("select count(*) from afterpush.events") == "7"
            }
            try await app.waitUntil("the rejection is kept") {
                try await app.value("select count(*) from afterpush.rejected_events") == "1"
            }
            try await app.waitUntil("events go to PostgreSQL again") {
                try await post(collector, app, body(1)).response.status == 200
            }
            let metrics = try MetricsText(try await TestClient(url: collector.url).get("/metrics", key: nil).text)
            #expect(metrics["afterpush_events_received_total"] == metrics.sum(of: "afterpush_events_total"))
            #expect(metrics[#"afterpush_events_total{outcome="spooled"}"#] ?? 0 >= 4)
            #expect(
                metrics[#"afterpush_events_total{outcome="spooled"}"#]
                    == metrics["afterpush_spool_replayed_events_total"])
            #expect(metrics["afterpush_spool_events"] == 0)
            #expect(await collector.stop() == 0)
        }

        @Test func `E12: requests take at most ten seconds while PostgreSQL hangs, and the collector can still stop`()
            async throws
        {
            let outage = try await OutageCluster()
            let spool = CollectorProcess.spoolDirectory()
            let collector = try await CollectorProcess(conninfo: outage.app.conninfo, spool: spool)
            #expect(try await post(collector, outage.app, body()).response.status == 200)
            try outage.signal(SIGSTOP)
            var spooled = 0
            for _ in 0..<4 {
                let (response, took) = try await post(collector, outage.app, body(2))
                #expect(response.status == 202, "\(response.text)")
                #expect(took < .seconds(10))
                spooled += 2
            }
            // By now the collector knows that it hangs.
            #expect(try await post(collector, outage.app, body(2)).took < .seconds(2))
            spooled += 2
            let start = ContinuousClock.now
            #expect(await collector.stop() == 0, "\(collector.errorOutput.suffix(2_000))")
            #expect(start.duration(to: .now) < .seconds(10))
            try outage.signal(SIGCONT)
            let next = try await CollectorProcess(conninfo: outage.app.conninfo, spool: spool)
            try await outage.app.waitUntil("what was spooled is stored") {
                try await outage.app.value("select count(*) from afterpush.events") == "\(spooled + 3)"
            }
            await next.stop()
            await outage.close()
            try? FileManager.default.removeItem(atPath: spool)
        }

        @Test func `an app that fills its share of the spool leaves room for other apps`() async throws {
            let outage = try await OutageCluster()
            let other = try await TestApp(named: "other", conninfo: outage.app.conninfo)
            let spool = CollectorProcess.spoolDirectory()
            defer { try? FileManager.default.removeItem(atPath: spool) }
            let collector = try await CollectorProcess(
                conninfo: outage.app.conninfo,
                environment: ["AFTERPUSH_HTTP_BODY_BYTES": "65536", "AFTERPUSH_SPOOL_BYTES": "2097152"], spool: spool)
            let client = TestClient(url: collector.url, timeout: 30)
            for app in [outage.app, other] {
                #expect(try await client.post("/v1/events", Data("[]".utf8), key: app.ingestKey).status == 200)
            }
            try await outage.stop()
            var statuses: [Int] = []
            for size in [40, 1] {
                repeat {
                    statuses.append(try await client.post("/v1/events", body(size), key: outage.app.ingestKey).status)
                } while statuses.last == 202 && statuses.count < 1_000
            }
            #expect(statuses.count > 30 && statuses.allSatisfy { $0 == 202 || $0 == 503 }, "\(statuses)")
            let refused = try await client.post("/v1/events", body(1), key: outage.app.ingestKey)
            #expect(refused.status == 503 && refused.text.contains("for this app"), "\(refused.text)")
            for _ in 0..<20 {
                let response = try await client.post("/v1/events", body(1), key: other.ingestKey)
                #expect(response.status == 202, "\(response.text)")
            }
            #expect(collector.errorOutput.contains("refused events because too many are in the spool"))
            try await outage.start()
            try await outage.app.waitUntil("the app can send again") {
                try await client.post("/v1/events", body(1), key: outage.app.ingestKey).status == 200
            }
            await collector.stop()
            await outage.close()
        }

        @Test func `an unusable spool is reported at the start`() async throws {
            let app = try await TestApp()
            let file = FileManager.default.temporaryDirectory.path + "/afterpush-file-\(UUID().uuidString.prefix(8))"
            try Data().write(to: URL(filePath: file))
            defer { try? FileManager.default.removeItem(atPath: file) }
            let output = try await Program.run(
                ["serve", "--port", "0", "--database-url", app.conninfo], environment: ["AFTERPUSH_SPOOL_DIR": file])
            #expect(output.status == 1)
            #expect(output.error.contains("AFTERPUSH_SPOOL_DIR"))
            let usage = try await Program.run(
                ["serve", "--port", "0", "--database-url", app.conninfo], environment: ["AFTERPUSH_SPOOL_BYTES": "12"])
            #expect(usage.status != 0 && usage.error.contains("spool bytes"))
        }
    }
}
