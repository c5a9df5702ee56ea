import ArgumentParser
import Declarations
import Receipts
import Server
import Storage

struct PayloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payload",
        abstract: "Checks push payloads before they are sent.",
        discussion: "Example:\n  afterpush payload check payload.json --app shop",
        subcommands: [Check.self])

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Reports what Afterpush can't record for a payload, and prints the payload with receipt and campaign.",
            discussion: """
                Reads a payload for APNs, FCM or web push, and prints {"findings": [...], "payload": {...}}. The exit code \
                is 1 if a finding is an error. Flags take precedence over values in the payload.

                Example:
                  afterpush payload check payload.json --app shop \\
                    --campaign autumn --variant a --device d-1
                """)

        @Argument(help: "A JSON file; - reads standard input.") var file = "-"
        @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
        @Option(help: "The campaign.") var campaign: String?
        @Option(help: "The campaign's variant.") var variant: String?
        @Option(help: "The category, if something other than the payload sets it.") var category: String?
        @Option(help: "The device for which the receipt is issued.") var device: String?
        @Option(help: "The notification's id.") var notification: String?
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                let payload = try PushPayload(Array(try InputFile.read(file)))
                let request = try PayloadCheckRequest(values)
                try await DatabaseSession.run(try await Settings(options)) { session in
                    let app = try await session.registry.app(named: app)
                    let answer = try await session.payloadService.check(
                        payload, request, appID: app.id, appName: app.name,
                        requiresReceipt: app.receiptPolicy == .required)
                    Terminal.print(json: answer.json(spread: true))
                    if answer.hasErrors { throw ExitCode(1) }
                }
            }
        }

        private var values: [String: String] {
            [
                "campaign_id": campaign, "variant": variant, "category_id": category, "device_id": device,
                "notification_id": notification,
            ].compactMapValues(\.self)
        }
    }
}

extension DatabaseSession {
    fileprivate var payloadService: PayloadCheckService {
        let database = database
        return PayloadCheckService(
            declarations: registry,
            receiptSecrets: ReceiptSecretCache { app in
                try await Registry.receiptSecrets(ofApp: app, in: database.requests)
            },
            clock: { .now })
    }
}
