import Foundation
import Glibc
import Storage
import TestSupport
import Testing

extension Faults {
    @Suite struct DiskFaults {
        @Test func `E20: no event is acknowledged without being stored while PostgreSQL's disk is full`() async throws {
            let title = "disk full under PostgreSQL"
            guard geteuid() == 0 else {
                return FaultTable.skip("E20", title, because: "only root can mount a small file system")
            }
            let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: directory) }
            guard mount("tmpfs", directory, "tmpfs", 0, "size=200m,mode=755") == 0 else {
                return FaultTable.skip("E20", title, because: "no file system can be mounted here")
            }
            defer { umount2(directory, Int32(MNT_DETACH)) }
            try await FaultTable.run("E20", title, atMost: 3) { run in
                try await DedicatedCluster.with(in: directory + "/\(run.seed)") { cluster in
                    let app = try await TestApp(conninfo: cluster.conninfo)
                    try await SupervisedCollector.with(app.conninfo, spooling: run.isSpooling) { collector in
                        let load = FaultLoad(app, run) { $0.timeout = 15 }
                        try await load.against([collector.port]) {
                            try await fill(directory, cluster, app, collector, run)
                        }
                        try await LedgerAudit(load, run).check()
                    }
                    await app.database.shutdown()
                }
                try? FileManager.default.removeItem(atPath: directory + "/\(run.seed)")
            }
        }

        @Test func `a collector is not ready for as long as the disk is full`() async throws {
            guard geteuid() == 0 else { return }
            let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: directory) }
            guard mount("tmpfs", directory, "tmpfs", 0, "size=200m,mode=755") == 0 else { return }
            defer { umount2(directory, Int32(MNT_DETACH)) }
            try await DedicatedCluster.with(in: directory + "/cluster") { cluster in
                let app = try await TestApp(conninfo: cluster.conninfo)
                let collector = try await CollectorProcess(conninfo: app.conninfo)
                let client = TestClient(url: collector.url)
                func post() async throws -> Int {
                    let events = (0..<100).map { _ in
                        EventJSON.event(["properties": ["text": String(repeating: "x", count: 1_500)]])
                    }
                    return try await client.post("/v1/events", EventJSON.body(events), key: app.sendKey).status
                }
                #expect(try await post() == 200)
                let filler = directory + "/filler"
                var seen: [(refused: Bool, ready: Bool)] = []
                for _ in 0..<12 {
                    // The server frees some of it now and then, such as log that it needs no longer.
                    fillDisk(filler)
                    let refused = try await post() == 503
                    // The state is a second old at most.
                    try await Task.sleep(for: .milliseconds(1_200))
                    seen.append((refused, try await client.get("/readyz", key: nil).status == 200))
                }
                let falsely = zip(seen, seen.dropFirst()).count { $0.refused && $0.ready && $1.refused }
                #expect(seen.count { $0.refused } >= 8 && falsely == 0, "\(seen)")
                unlink(filler)
                try await app.waitUntil("it is ready") { try await client.get("/readyz", key: nil).status == 200 }
                #expect(try await post() == 200)
                await collector.stop()
                await app.database.shutdown()
            }
        }

        /// Fills the disk until nothing can be stored, then frees the space.
        private func fill(
            _ directory: String, _ cluster: DedicatedCluster, _ app: TestApp, _ collector: SupervisedCollector,
            _ run: FaultRun
        ) async throws {
            try await Task.sleep(for: .milliseconds(300))
            let filler = directory + "/filler"
            let isFull = await run.wait(60) {
                fillDisk(filler)
                // A statement that needs space immediately, because the load alone would take a while.
                try? await Faults.sql(
                    "create table if not exists more as select repeat('x', 900) from generate_series(1, 5000)", app)
                return await Faults.probe(app, collector.port).isWithoutDatabase
            }
            run.expect(isFull, "the disk never got full")
            run.expect(await collector.status("/livez") == 200, "not alive on a full disk")
            unlink(filler)
            // A server that stopped for lack of space is restarted, as by a supervisor.
            if await cluster.postmasterPID == nil {
                run.note("PostgreSQL panicked and was started again")
                try await cluster.start()
            }
            let isBack = await run.wait(60) {
                if await cluster.postmasterPID == nil { try await cluster.start() }
                return await Faults.probe(app, collector.port).isCommitted
            }
            run.expect(isBack, "nothing was stored after space was available again")
        }

        /// Writes until no space is left.
        private func fillDisk(_ path: String) {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
            guard descriptor >= 0 else { return }
            defer { close(descriptor) }
            let block = [UInt8](repeating: 1, count: 1 << 16)
            while write(descriptor, block, block.count) == block.count {}
        }
    }
}
