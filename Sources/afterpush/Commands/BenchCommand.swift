import ArgumentParser
import Events
import Foundation
import Postgres
import Server
import Simulator
import Storage

struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures how many events per second this machine stores, and the latency of acknowledgements.",
        discussion: """
            Starts a collector with its own PostgreSQL in a temporary directory, and removes both afterwards. If you pass \
            an address, measures the collector there with the key in AFTERPUSH_INGEST_KEY or AFTERPUSH_SEND_KEY; the \
            key's app keeps the events, which have the campaign `bench`.

            The load generator runs in this process and uses part of the machine. An event counts when it is \
            acknowledged, which is when it is durable.

            Example:
              afterpush bench
              AFTERPUSH_INGEST_KEY=ap_ingest_... \\
                afterpush bench http://127.0.0.1:8080 --seconds 30
            """)

    @Argument(help: "The address of a running collector; by default a new one is started.") var url: String?
    @Option(help: "Duration of each load, in seconds.") var seconds = 10
    @Option(help: "Number of concurrent requests.") var connections = 16
    @OptionGroup var options: SettingsOptions

    func validate() throws {
        guard seconds > 0, connections > 0 else { throw ValidationError("--seconds and --connections must be above 0") }
        guard url.map({ Self.isAddress($0) }) ?? true else {
            throw ValidationError("the collector's address must begin with http:// or https://")
        }
    }

    func run() async throws {
        try await CommandRunner.run {
            guard let url = url.flatMap({ URL(string: $0) }) else { return try await measureNewCollector() }
            let environment = ProcessInfo.processInfo.environment
            let keys = ["AFTERPUSH_INGEST_KEY", "AFTERPUSH_SEND_KEY"].compactMap { environment[$0] }
            guard let key = keys.first(where: { !$0.isEmpty }) else {
                throw ValidationError("AFTERPUSH_INGEST_KEY or AFTERPUSH_SEND_KEY must be set")
            }
            await measure(at: url, key: key)
        }
    }

    private static func isAddress(_ text: String) -> Bool {
        guard let url = URL(string: text) else { return false }
        return ["http", "https"].contains(url.scheme) && url.host != nil
    }

    /// Measures a new collector in a temporary directory, whatever database the settings name.
    private func measureNewCollector() async throws {
        var settings = try await Settings(options, host: "127.0.0.1", port: 0)
        let directory = FileManager.default.temporaryDirectory.appending(path: "afterpush-bench-\(UUID().uuidString)")
        settings.databaseURL = nil
        ConnectionEnvironment.clear()
        settings.dataDirectory = directory.path
        settings.spoolDirectory = directory.appending(path: "spool").path
        settings.server.identity = nil
        defer { try? FileManager.default.removeItem(at: directory) }
        Terminal.note("Starting PostgreSQL...")
        let chosen = settings
        try await DatabaseSession.run(chosen, creating: true) { session in
            let collector = try await Collector(
                session, chosen, spool: session.openSpool(chosen),
                suppressionList: session.openSuppressionList(chosen))
            let app = try await session.registry.createApp("bench")
            let key = try await session.registry.createKey(app: app, scope: .ingest)
            try await measure(collector, session, key: key)
        }
    }

    private func measure(_ collector: Collector, _ session: DatabaseSession, key: String) async throws {
        try await collector.run { port in
            guard let url = URL(string: "http://127.0.0.1:\(port)") else { return }
            await measure(at: url, key: key)
            let end = ContinuousClock.now
            let maintenance = RollupMaintenance(pool: session.database.owner)
            while try await maintenance.waitingBatches() > 0 { try await Task.sleep(for: .milliseconds(20)) }
            Terminal.print("\nreports counted all events \(Self.text(end.duration(to: .now))) after the last request")
            collector.stop()
        }
    }

    private func measure(at url: URL, key: String) async {
        Terminal.print("  events/request   requests/s     events/s          p50          p99    failures")
        for events in [1, 10, 100] {
            var plan = LoadPlan(url: url, key: key)
            plan.connections = connections
            plan.events = events
            plan.duration = .seconds(seconds)
            let outcome = await LoadGenerator(plan).run()
            let columns = [
                (String(events), 16), (Self.text(outcome.requestsPerSecond), 13),
                (Self.text(outcome.eventsPerSecond), 13), (outcome.quantile(0.5).map(Self.text) ?? "-", 13),
                (outcome.quantile(0.99).map(Self.text) ?? "-", 13), (String(outcome.failures), 12),
            ]
            Terminal.print(columns.map { String(repeating: " ", count: max(0, $1 - $0.count)) + $0 }.joined())
        }
    }

    private static func text(_ number: Double) -> String {
        number.formatted(.number.precision(.fractionLength(0)).locale(Locale(identifier: "en_US")))
    }

    private static func text(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        return milliseconds.formatted(.number.precision(.fractionLength(1)).locale(Locale(identifier: "en_US"))) + " ms"
    }
}
