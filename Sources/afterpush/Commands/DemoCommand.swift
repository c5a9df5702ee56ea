import AfterpushWire
import ArgumentParser
import Foundation
import Logging
import Reports
import Server
import Simulator
import Storage
import Synchronization

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Runs a collector with a simulated fleet of devices, and shows its reports.",
        discussion: """
            The first run creates the app `demo` with two categories and some campaigns; later runs use it as it is. While \
            it runs, a few events a second keep arriving, so that the page Live has something to show.

            Example:
              afterpush demo
              afterpush demo --exit
            """)

    @Option(help: "Address to listen on (AFTERPUSH_HOST, default: 127.0.0.1).") var host: String?
    @Option(help: "Port to listen on; 0 chooses a free one (AFTERPUSH_PORT, default: 8080).") var port: Int?
    @Flag(help: "Exit after printing the tables.") var exit = false
    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await CommandRunner.run {
            let settings = try await Settings(options, host: host, port: port)
            try PortCheck.require(settings.host, settings.port)
            Terminal.note("Starting PostgreSQL...")
            try await DatabaseSession.run(settings, creating: true) { session in
                // The fleet posts over plain HTTP.
                var settings = settings
                settings.server.identity = nil
                let collector = try await Collector(
                    session, settings, spool: session.openSpool(settings),
                    suppressionList: session.openSuppressionList(settings))
                try await serve(collector, session, settings)
            }
        }
    }

    /// Runs the collector, with the demo as its client. Its trickle of events ends with the collector.
    private func serve(_ collector: Collector, _ session: DatabaseSession, _ settings: Settings) async throws {
        let (trickles, trickle) = AsyncStream<FleetTrickle>.makeStream()
        try await withThrowingTaskGroup { group in
            group.addTask {
                for await trickle in trickles { await trickle.run() }
            }
            try await collector.run { port in
                let demo = try await Demo(session, url: "http://\(settings.host):\(port)", settings: settings)
                try await demo.fill()
                try await demo.show()
                if exit {
                    collector.stop()
                } else {
                    try await demo.invite(collector.loginTokens)
                    if let events = try await demo.trickle() { trickle.yield(events) }
                }
            }
            trickle.finish()
            group.cancelAll()
        }
    }
}
