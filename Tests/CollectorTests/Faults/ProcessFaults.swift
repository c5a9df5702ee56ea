import Foundation
import Glibc
import SeededRandom
import TestSupport
import Testing

extension Faults {
    @Suite struct ProcessFaults {
        @Test func `E1: a collector that is killed repeatedly loses no acknowledged event`() async throws {
            try await FaultTable.run("E1", "SIGKILL the collector mid-batch") { run in
                try await Faults.withCollector(run) { app, collector in
                    var random = SeededGenerator(seed: run.seed)
                    var slowest = Duration.zero
                    let load = FaultLoad(app, run)
                    try await load.against([collector.port]) {
                        for _ in 0..<FaultScale.pick(quick: 5, long: 10) {
                            try await run.pause(100...400, &random)
                            await collector.kill()
                            slowest = max(slowest, try await collector.start())
                        }
                    }
                    // The debug build starts slowly on a busy machine; the documented limit is 3 s.
                    run.expect(slowest < .seconds(15), "ready again after \(slowest)")
                    run.note("ready again within \(FaultTable.seconds(slowest)) s")
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test
        func
            `E2: a collector that receives SIGTERM finishes accepted requests, accepts no more, and exits with code 0`()
            async throws
        {
            try await FaultTable.run("E2", "SIGTERM under load") { run in
                try await Faults.withCollector(run) { app, collector in
                    var random = SeededGenerator(seed: run.seed)
                    let load = FaultLoad(app, run)
                    try await load.against([collector.port]) {
                        try await run.pause(300...900, &random)
                        let start = ContinuousClock.now
                        await collector.signal(SIGTERM)
                        try await Task.sleep(for: .milliseconds(250))
                        let readiness = await collector.isRunning ? await collector.status("/readyz") : nil
                        run.expect(readiness != 200, "ready while stopping")
                        let code = await collector.exitCode(within: .seconds(15))
                        run.expect(code == 0, "exit code \(code.map(String.init) ?? "none within 15 s")")
                        run.expect(start.duration(to: .now) < .seconds(12), "stopping took too long")
                        try await collector.start()
                    }
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test func `E3: a collector that receives SIGTERM while the database hangs exits by its deadline`() async throws
        {
            try await FaultTable.run(
                "E3", "SIGTERM while the database hangs", atMost: 5
            ) {
                run in
                try await Faults.withProxy(run) { proxy, app, collector in
                    let load = FaultLoad(app, run) { $0.timeout = 12 }
                    try await load.against([collector.port]) {
                        try await Task.sleep(for: .milliseconds(400))
                        proxy.mode = .drop
                        try await Task.sleep(for: .milliseconds(300))
                        let start = ContinuousClock.now
                        await collector.signal(SIGTERM)
                        let code = await collector.exitCode(within: .seconds(20))
                        let took = start.duration(to: .now)
                        run.expect(code != nil && took < .seconds(13), "it still ran \(took) after SIGTERM")
                        run.note("ended with \(code ?? -1) after \(FaultTable.seconds(took)) s")
                        if code == nil { await collector.kill() }
                        proxy.mode = .pass
                        try await collector.start()
                    }
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test func `E4: a collector that is suspended for a while stores nothing twice afterwards`() async throws {
            try await FaultTable.run(
                "E4", "SIGSTOP, then SIGCONT, beside a second collector", atMost: 4
            ) { run in
                try await Faults.withCollector(run) { app, collector in
                    try await SupervisedCollector.with(app.conninfo, spooling: run.isSpooling) { other in
                        let load = FaultLoad(app, run) { $0.timeout = 2 }
                        try await load.against([collector.port, other.port]) {
                            try await Task.sleep(for: .milliseconds(500))
                            await collector.signal(SIGSTOP)
                            try await Task.sleep(for: .seconds(FaultScale.pick(quick: 4, long: 30)))
                            await collector.signal(SIGCONT)
                            try await Task.sleep(for: .milliseconds(500))
                        }
                        try await LedgerAudit(load, run).check()
                    }
                }
            }
        }

        @Test func `E7: clients that retry lose no event while three collectors are restarted one after another`()
            async throws
        {
            try await FaultTable.run("E7", "rolling restart of three collectors") { run in
                try await Faults.withCollector(run) { app, first in
                    try await SupervisedCollector.with(app.conninfo, spooling: run.isSpooling) { second in
                        try await SupervisedCollector.with(app.conninfo, spooling: run.isSpooling) { third in
                            let load = FaultLoad(app, run)
                            try await load.against([first.port, second.port, third.port]) {
                                for collector in [first, second, third] {
                                    try await Task.sleep(for: .milliseconds(200))
                                    await collector.signal(SIGTERM)
                                    let code = await collector.exitCode(within: .seconds(20))
                                    run.expect(code == 0, "exit code \(code ?? -1)")
                                    try await collector.start()
                                }
                            }
                            try await LedgerAudit(load, run).check()
                        }
                    }
                }
            }
        }
    }
}
