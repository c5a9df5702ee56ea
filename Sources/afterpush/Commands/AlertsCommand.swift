import AfterpushWire
import Alerts
import ArgumentParser
import Foundation
import JSON
import Receipts
import Reports
import Server
import Storage

struct AlertsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alerts",
        abstract: "Watches values of reports, and delivers alerts by webhook, Slack or mail.",
        discussion: """
            Example:
              afterpush alerts list --app shop
              afterpush alerts put coverage coverage.json --app shop
              afterpush alerts deliver --webhook https://example.com/alerts --app shop
            """,
        subcommands: [List.self, Show.self, Put.self, Delete.self, Test.self, Deliver.self, Secret.self])

    /// The app whose alerts a command is about.
    struct Target: ParsableArguments {
        @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
        @OptionGroup var options: SettingsOptions

        func run(
            _ body: @escaping @Sendable (DatabaseSession, AlertStore, App, Settings) async throws -> Void
        ) async throws {
            try await CommandRunner.run {
                let settings = try await Settings(options)
                try await DatabaseSession.run(settings) { session in
                    let store = AlertStore(pool: session.database.owner)
                    let app = try await session.registry.app(named: app)
                    try await store.install()
                    try await body(session, store, app, settings)
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists alert rules: name, state, what they watch and expect.",
            discussion: "Example:\n  afterpush alerts list --app shop")

        @OptionGroup var target: Target

        func run() async throws {
            try await target.run { _, store, app, settings in
                let catalogue = ReportService.catalogue(directory: settings.reportsDirectory)
                var table = ListTable("alert", "state", "watches", "expects")
                for alert in try await store.alerts(app: app.id) {
                    let state =
                        !alert.rule.isEnabled
                        ? "off"
                        : alert.counts.firing > 0
                            ? "firing"
                            : alert.counts.pending > 0
                                ? "pending" : alert.problem != nil ? "failed" : alert.evaluatedAt == nil ? "new" : "ok"
                    table.append(
                        alert.rule.name, state, alert.rule.watched, alert.rule.expectation(catalogue))
                }
                table.print()
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints an alert rule with its states as JSON, in the form that `put` reads.",
            discussion: "Example:\n  afterpush alerts show sample-ratio --app shop")

        @Argument(help: "The rule's name.") var name: String
        @OptionGroup var target: Target

        func run() async throws {
            let name = name
            try await target.run { _, store, app, settings in
                let catalogue = ReportService.catalogue(directory: settings.reportsDirectory)
                guard let alert = try await store.alerts(app: app.id, only: name).first else {
                    throw NoSuchAlert(name: name)
                }
                Terminal.print(json: alert.json(catalogue, isRedacted: false))
            }
        }
    }

    struct Put: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Declares an alert rule, or replaces the one with the same name.",
            discussion: """
                The file has the form of PUT /v1/alerts/{name}; docs/alerts.md describes it. For a built-in rule, \
                {"enabled": false} turns it off.

                Example:
                  afterpush alerts put coverage coverage.json --app shop
                """)

        @Argument(help: "The rule's name.") var name: String
        @Argument(help: "A JSON file; - reads standard input.") var file: String
        @OptionGroup var target: Target

        func run() async throws {
            let (name, file) = (name, file)
            try await target.run { _, store, app, settings in
                let rule = try AlertRule(Array(try InputFile.read(file)), name: name)
                try rule.check(ReportService.catalogue(directory: settings.reportsDirectory))
                try await store.put(rule, app: app.id)
                Terminal.print(json: rule.json(isRedacted: false))
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes an alert rule; a built-in one is turned off.",
            discussion: "Example:\n  afterpush alerts delete coverage --app shop")

        @Argument(help: "The rule's name.") var name: String
        @OptionGroup var target: Target

        func run() async throws {
            let name = name
            try await target.run { _, store, app, _ in
                guard try await store.delete(name, app: app.id) else { throw NoSuchAlert(name: name) }
                Terminal.print(cells: name, "deleted")
            }
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Evaluates a rule now without changing its state, and can send a test message.",
            discussion: """
                It prints a line for each row that the rule watches: outside, inside or unclear, the row, and the value.

                Example:
                  afterpush alerts test sample-ratio --send --app shop
                """)

        @Argument(help: "The rule's name.") var name: String
        @Flag(help: "Send a test message to the rule's destinations.") var send = false
        @OptionGroup var target: Target

        func run() async throws {
            let (name, send) = (name, send)
            try await target.run { session, store, app, settings in
                guard let rule = try await store.alerts(app: app.id, only: name).first?.rule else {
                    throw NoSuchAlert(name: name)
                }
                let catalogue = ReportService.catalogue(directory: settings.reportsDirectory)
                let evaluator = AlertEvaluator(reports: session.reportService(catalogue: catalogue))
                let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
                let results = try await evaluator.evaluate(rule, app: app.id, appName: app.name, at: now).results
                for result in results { Terminal.print(cells: "\(result.finding)", result.series, result.description) }
                guard send else { return }
                let lines = results.map(\.description).prefix(20).joined(separator: "\n")
                let message = AlertMessage(testOf: rule, app: app.name, description: lines)
                let secret = try await store.secret(app: app.id)
                let fallback = try await store.settings(app: app.id).destinations
                try await Self.send(message, to: rule.destinations ?? fallback, secret, AlertSender(settings.alerts))
            }
        }

        private static func send(
            _ message: AlertMessage, to destinations: [AlertDestination], _ secret: [UInt8], _ sender: AlertSender
        ) async throws {
            guard !destinations.isEmpty else { throw TestFailed(problem: "the rule has no destination") }
            var failed = false
            for destination in destinations {
                let outgoing = OutgoingMessage(
                    id: message.id, subject: message.subject, body: message.body(for: destination.kind), secret: secret)
                let result = await sender.send(outgoing, to: destination)
                let text =
                    switch result {
                    case .delivered: "delivered"
                    case .gone: "it answered 410"
                    case .failed(let reason): reason
                    }
                failed = failed || result != .delivered
                Terminal.note("\(destination.redacted): \(text)")
            }
            if failed { throw TestFailed(problem: "not every test message was delivered") }
        }
    }

    struct Deliver: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Sets where the app's alerts go, and how often it gets a summary. Without options, nothing is sent.",
            discussion: """
                Example:
                  afterpush alerts deliver --email ops@example.com --summary daily --app shop
                """)

        @Option(help: "A URL that gets signed JSON; can be repeated.") var webhook: [String] = []
        @Option(help: "A URL of a Slack webhook; can be repeated.") var slack: [String] = []
        @Option(help: "A mail address; can be repeated.") var email: [String] = []
        @Option(help: "daily or weekly; default: no summary.") var summary: String?
        @OptionGroup var target: Target

        func run() async throws {
            func list(_ name: String, _ values: [String]) -> [String] {
                values.map { JSONText.object([(name, JSONText.string($0))]) }
            }
            let body = JSONText.object([
                (
                    "deliver",
                    JSONText.array(list("webhook", webhook) + list("slack", slack) + list("email", email))
                ),
                ("summary", summary.map(JSONText.string) ?? "null"),
            ])
            try await target.run { _, store, app, _ in
                let settings = try AlertSettings(Array(body.utf8))
                try await store.put(settings, app: app.id)
                Terminal.print(json: JSONText.object(settings.members(isRedacted: false)))
            }
        }
    }

    struct Secret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the secret that signs the app's webhooks: 32 bytes as base64url.",
            discussion: "Example:\n  SECRET=$(afterpush alerts secret --app shop)")

        @Flag(help: "Make a new secret; the old one is no longer used.") var rotate = false
        @OptionGroup var target: Target

        func run() async throws {
            let rotate = rotate
            try await target.run { _, store, app, _ in
                Terminal.print(Base64URL.encode(try await store.secret(app: app.id, rotating: rotate)))
            }
        }
    }

    private struct NoSuchAlert: Error, CustomStringConvertible {
        let name: String
        var description: String { "there is no alert '\(name)'" }
    }

    private struct TestFailed: Error, CustomStringConvertible {
        let problem: String
        var description: String { problem }
    }
}
