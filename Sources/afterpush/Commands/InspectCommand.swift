import ArgumentParser
import Reports
import Storage

struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Shows all that is known of a notification, a device, an event or a delivery, and how it counts.",
        discussion: """
            Reads the events as they came, what was corrected, the delivery they belong to, how reports count it, and \
            why events were rejected. Begin here if something doesn't arrive.

            Example:
              afterpush inspect n-1 --app shop
              afterpush inspect d-1 --app shop --format json
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    @Argument(help: "The id of a notification, a device, an event or a delivery.") var id: String
    @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
    @Option(help: "text or json.") var format = Format.text
    @Flag(help: "Show the texts that people typed.") var includeText = false
    @OptionGroup var options: SettingsOptions

    func validate() throws {
        guard (1...256).contains(id.utf8.count) else { throw ValidationError("an id must be 1 to 256 bytes long") }
    }

    func run() async throws {
        try await CommandRunner.run {
            try await DatabaseSession.run(try await Settings(options)) { session in
                let app = try await session.registry.app(named: app)
                let request = try InspectionRequest(["id": id, "include_text": String(includeText)])
                let inspection = try await session.inspectionService.inspect(request, app: app.id, name: app.name)
                switch format {
                case .json: Terminal.print(json: inspection.json)
                case .text: Terminal.print(try InspectionText(json: inspection.json).lines.joined(separator: "\n"))
                }
            }
        }
    }
}
