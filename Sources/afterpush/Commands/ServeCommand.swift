import ArgumentParser
import Foundation
import Logging
import Logs
import Server
import Storage

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs the collector: accepts events over HTTP and serves reports.",
        discussion: "Example:\n  afterpush serve --port 8080")

    @Option(help: "Address to listen on (AFTERPUSH_HOST, default: 127.0.0.1).")
    var host: String?

    @Option(help: "Port to listen on; 0 chooses a free one (AFTERPUSH_PORT, default: 8080).")
    var port: Int?

    @Option(help: "Directory with reports of your own (AFTERPUSH_REPORTS_DIR).")
    var reports: String?
    @OptionGroup var options: SettingsOptions

    func run() async throws {
        // Tools that renew certificates send SIGHUP, also to a collector that is starting or has no TLS, which must go on.
        // In a terminal, SIGHUP says that the terminal was closed.
        if isatty(STDIN_FILENO) == 0 { signal(SIGHUP, SIG_IGN) }
        // The first process of a container gets only signals that it handles, and starting may take long.
        if getpid() == 1 { for number in [SIGTERM, SIGINT] { signal(number) { _exit(128 + $0) } } }
        try await CommandRunner.run {
            let settings = try await Settings(options, host: host, port: port)
            // The spool is in these directories, also beside a database of its own.
            try settings.giveUpPrivileges()
            try requireReports(settings)
            try PortCheck.require(settings.host, settings.port)
            let (output, logs) = LogOutput.queuedStandardError(settings.logFormat)
            do {
                try await serve(settings, output, logs)
            } catch {
                // If the log is not read, the reason of the failure would not be read either, and writing it would not end.
                guard logs.flush(within: .seconds(1)) else { throw ExitCode(1) }
                throw error
            }
            logs.flush(within: .seconds(1))
        }
    }

    /// Requires that the directory with reports can be read. A file in it that is no report is only logged.
    private func requireReports(_ settings: Settings) throws {
        guard let directory = reports ?? settings.reportsDirectory,
            (try? FileManager.default.contentsOfDirectory(atPath: directory)) == nil
        else { return }
        let reason = access(directory, R_OK) == 0 ? "it is no directory" : String(cString: strerror(errno))
        throw ValidationError("the reports directory \(directory) can't be read: \(reason)")
    }

    private func serve(_ settings: Settings, _ output: LogOutput, _ logs: LogQueue) async throws {
        try await DatabaseSession.run(settings, defaultLevel: .info, creating: true, output: output) { session in
            let collector = try await Collector(
                session, settings, spool: session.openSpool(settings),
                suppressionList: session.openSuppressionList(settings),
                reportsDirectory: reports ?? settings.reportsDirectory, logs: logs)
            try await collector.run { port in
                let scheme = settings.server.identity == nil ? "http" : "https"
                session.logger.notice("listening on \(scheme)://\(settings.host):\(port)")
                if let apps = try? await session.registry.apps(), apps.isEmpty {
                    session.logger.notice("no app yet: run afterpush apps create NAME, then afterpush keys create")
                }
            }
        }
    }
}
