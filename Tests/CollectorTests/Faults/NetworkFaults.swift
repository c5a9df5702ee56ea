import Foundation
import Synchronization
import TestSupport
import Testing

extension Faults {
    /// Tests faults between the collector and the database, and between a client and the collector.
    @Suite struct NetworkFaults {
        @Test func `E13: a commit whose reply is lost is stored once`() async throws {
            try await FaultTable.run("E13", "connection cut after the commit, before its reply") { run in
                try await Faults.withProxy(run) { proxy, app, collector in
                    let load = FaultLoad(app, run)
                    try await load.against([collector.port]) {
                        let cuts = FaultScale.pick(quick: 10, long: 100)
                        // Binding a prepared statement with events commits on its own. One in four is cut.
                        let seen = Counter()
                        proxy.mode = .cutReplies(left: cuts) { bytes in
                            guard bytes.first == UInt8(ascii: "B"), bytes.count > 600 else { return false }
                            return seen.next() % 4 == 0
                        }
                        let areDone = await run.wait(60) { proxy.cuts == cuts }
                        run.expect(areDone, "\(proxy.cuts) of \(cuts) replies were cut")
                        proxy.mode = .pass
                    }
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test func `E27: a network that drops everything, refuses connections or is slow loses no event`()
            async throws
        {
            try await FaultTable.run(
                "E27", "network to the database: dropped, refused, slow", atMost: 3
            ) {
                run in
                try await Faults.withProxy(run) { proxy, app, collector in
                    let load = FaultLoad(app, run) { $0.timeout = 25 }
                    try await load.against([collector.port]) {
                        try await Task.sleep(for: .milliseconds(300))
                        proxy.mode = .drop
                        let response = await Faults.probe(app, collector.port)
                        run.expect(response.isWithoutDatabase, "status \(response.status) without a network")
                        run.expect(response.after < .seconds(20), "response after \(response.after)")
                        // With a spool the collector can acknowledge.
                        let isUnready = await run.wait(20) {
                            if run.isSpooling { return true }
                            return await collector.status("/readyz") != 200
                        }
                        run.expect(isUnready, "ready without a database or a spool")
                        run.expect(await collector.status("/livez") == 200, "not alive")
                        try await Task.sleep(for: .seconds(FaultScale.pick(quick: 0, long: 60)))
                        proxy.mode = .reset
                        try await Task.sleep(for: .seconds(FaultScale.pick(quick: 1, long: 10)))
                        proxy.mode = .delay(.milliseconds(200))
                        let start = ContinuousClock.now
                        let isBack = await run.wait(30) { await Faults.probe(app, collector.port).isCommitted }
                        run.expect(isBack, "nothing was stored over a slow network")
                        run.note("stored again after \(FaultTable.seconds(start.duration(to: .now))) s")
                        proxy.mode = .pass
                    }
                    let slowest = load.ledger.figures.slowestResponse
                    run.expect(slowest < .seconds(20), "a response took \(slowest)")
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test func `E29: lost replies duplicate no event`() async throws {
            try await FaultTable.run(
                "E29", "replies of the database dropped", atMost: 5
            ) { run in
                try await Faults.withProxy(run) { proxy, app, collector in
                    let load = FaultLoad(app, run) { $0.timeout = 25 }
                    try await load.against([collector.port]) {
                        try await Task.sleep(for: .milliseconds(300))
                        proxy.mode = .dropReplies
                        try await Task.sleep(for: .seconds(FaultScale.pick(quick: 2, long: 15)))
                        // Dropped bytes do not arrive any more.
                        proxy.mode = .reset
                        try await Task.sleep(for: .milliseconds(200))
                        proxy.mode = .pass
                    }
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test func `E28: a client whose connection is cut before the response sends again, and each event is one row`()
            async throws
        {
            try await FaultTable.run("E28", "client cut after the body, before the answer") { run in
                try await Faults.withCollector(run) { app, collector in
                    let proxy = try TCPProxy(to: .port(collector.port))
                    defer { proxy.close() }
                    let load = FaultLoad(app, run)
                    try await load.against([proxy.port]) {
                        let cuts = FaultScale.pick(quick: 40, long: 400)
                        proxy.mode = .cutReplies(left: cuts) { _ in true }
                        let areDone = await run.wait(60) { proxy.cuts == cuts }
                        run.expect(areDone, "\(proxy.cuts) of \(cuts) responses were cut")
                        proxy.mode = .pass
                    }
                    run.expect(load.ledger.figures.statuses[0] ?? 0 > 0, "no connection was cut")
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test func `E34: many clients that return at once after an outage are served`() async throws {
            try await FaultTable.run("E34", "retry storm after an outage", atMost: 3) {
                run in
                try await Faults.withProxy(run) { proxy, app, collector in
                    let load = FaultLoad(app, run) { $0.senders = 16 }
                    let crowd = FaultLoad(app, FaultRun(seed: run.seed &+ 1_000_000)) { configuration in
                        configuration.senders = FaultScale.pick(quick: 100, long: 500)
                        configuration.timeout = 20
                    }
                    run.add(crowd.ledger)
                    try await load.against([collector.port]) {
                        proxy.mode = .reset
                        try await crowd.against([collector.port]) {
                            try await Task.sleep(for: .seconds(FaultScale.pick(quick: 1, long: 10)))
                            proxy.mode = .pass
                        }
                        let start = ContinuousClock.now
                        let isServed = await run.wait(30) {
                            await Faults.probe(app, collector.port).after < .seconds(1)
                        }
                        run.expect(isServed, "not served within a second, 30 s after the peak")
                        run.note(
                            "served within 1 s again \(FaultTable.seconds(start.duration(to: .now))) s after the storm")
                    }
                    try await LedgerAudit([load, crowd], run, app: app).check()
                }
            }
        }
    }
}

/// Counts what a proxy has forwarded.
private final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
