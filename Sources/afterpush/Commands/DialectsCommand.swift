import ArgumentParser
import Dialects

struct DialectsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dialects",
        abstract:
            "Lists the systems whose clients can post here unchanged, whose files can be imported, and what events become.",
        discussion: """
            Example:
              afterpush dialects
              afterpush dialects --names
            """)

    @Flag(help: "List the names of events with what they become, and who uses them.") var names = false

    func run() async throws {
        if names {
            for entry in EventNames.entries {
                Terminal.print(cells: entry.name, entry.meaning.text, entry.senders)
            }
        } else {
            for item in DialectCatalog.items {
                Terminal.print(cells: item.family.rawValue, item.family.title)
                for route in item.routes { Terminal.print("  \(route.method) \(route.path)") }
            }
            for dialect in RecordDialects.all {
                let family = dialect.family
                Terminal.print(cells: family.rawValue, family.title)
                Terminal.print("  afterpush import --dialect \(family.rawValue)")
            }
        }
    }
}
