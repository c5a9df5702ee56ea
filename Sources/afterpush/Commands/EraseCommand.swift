import ArgumentParser
import Ingest
import Storage

struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erases a device: deletes its events and replies, and makes its deliveries anonymous.",
        discussion: """
            From then on, collectors reject the device's events. A running collector erases its data; with --wait, this \
            command does so and returns when everything is erased.

            Example:
              afterpush erase d-1 --app shop --wait
            """)

    @Argument(help: "The device's id.") var device: String
    @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
    @Flag(help: "Wait until the erasure is done.") var wait = false
    @OptionGroup var options: SettingsOptions

    func validate() throws {
        guard (1...256).contains(device.utf8.count) else {
            throw ValidationError("a device id must be 1 to 256 bytes long")
        }
    }

    func run() async throws {
        try await CommandRunner.run {
            let settings = try await options.settings()
            try settings.giveUpPrivileges()
            try await DatabaseSession.run(settings) { session in
                let app = try await session.registry.app(named: app)
                var job = try await session.eraser.request(device, app: app.id)
                await addToSuppressionFile(session, settings)
                while wait, !job.isDone {
                    try await continueErasure(session)
                    job = try await session.eraser.job(device, app: app.id) ?? job
                }
                Terminal.print(
                    "\(job.isDone ? "done" : "running")\tevents \(job.events)\treplies \(job.replies)\t"
                        + "deliveries made anonymous \(job.deliveries)\trejected events \(job.rejected)")
                if !job.isDone {
                    Terminal.note(
                        "afterpush: a running collector carries this out; if none runs, use --wait or start one")
                }
                for (place, time) in job.notReached {
                    Terminal.note("afterpush: not reached: \(place.replacing("_", with: " ")), until \(time)")
                }
            }
        }
    }

    /// Adds the device to the suppression file next to the spool. Running collectors do the same, so an error is only
    /// reported.
    private func addToSuppressionFile(_ session: DatabaseSession, _ settings: Settings) async {
        do {
            _ = try await session.openSuppressionList(settings)
        } catch {
            Terminal.note(
                "afterpush: could not write the suppression file next to the spool; collectors will: \(error)")
        }
    }

    private func continueErasure(_ session: DatabaseSession) async throws {
        switch try await session.eraser.step() {
        case .search: try await session.eraser.search()
        case .working: break
        case .idle, .busy, .waiting:
            try await session.mergeOnce()
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
