import AfterpushWire
import ArgumentParser
import Files
import Foundation
import Simulator

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulates a fleet of devices that post their events to a collector over HTTP.",
        discussion: """
            Simulates the demo's fleet during a week with two sales and a survey: iOS, Android and web devices with and \
            without a service extension, some with wrong clocks, offline periods or repeated requests. Devices post \
            through the device library. The same seed and time produce the same events, so a second run changes no \
            count. --truth writes the numbers that reports should show to a file.

            Keys are read from AFTERPUSH_INGEST_KEY and AFTERPUSH_SEND_KEY. With AFTERPUSH_MANAGE_KEY, the categories \
            and campaigns are declared first. With --app and AFTERPUSH_RECEIPT_SECRET, the output of `afterpush apps \
            secret`, notifications have receipts. With --forged, some devices post forged events: those with an invalid \
            receipt should be rejected, those without a receipt should stay unverified, and the file of --truth has the \
            number of each. With --notifications and --unlikeness, devices get several notifications and people differ, \
            so that the deliveries of a device resemble each other.

            Example:
              AFTERPUSH_INGEST_KEY=ap_ingest_... AFTERPUSH_SEND_KEY=ap_send_... \\
                afterpush simulate http://127.0.0.1:8080 --devices 5000 --truth truth.json
            """)

    @Argument(help: "The collector's address.") var url: String
    @Option(help: "Number of devices.") var devices = 2_000
    @Option(help: "Seed of the simulation; the same seed gives the same events.") var seed: UInt64 = 2026
    @Option(help: "The end of the simulated week, RFC 3339; now by default.") var now: String?
    @Option(help: "File for the true numbers that reports should show, as JSON.") var truth: String?
    @Option(help: "The app's name, for the receipts.") var app: String?
    @Option(help: "Share of devices whose owners forge events, from 0 to 1.") var forged = 0.0
    @Option(help: "Number of notifications that each campaign without a holdout sends to a device.")
    var notifications = 1
    @Option(help: "How unlike people are: standard deviation of the logarithm of how often each responds.")
    var unlikeness = 0.0
    @Option(help: "Directory for the devices' queues; by default they are in memory.")
    var queues: String?
    @Option(help: "Number of concurrent requests.") var concurrency = 16

    func validate() throws {
        guard let base = URL(string: url), ["http", "https"].contains(base.scheme), base.host != nil else {
            throw ValidationError("the collector's address must begin with http:// or https://")
        }
        guard devices > 0, concurrency > 0 else { throw ValidationError("--devices and --concurrency must be above 0") }
        guard (0...1).contains(forged) else { throw ValidationError("--forged must be from 0 to 1") }
        guard (1...100).contains(notifications) else { throw ValidationError("--notifications must be from 1 to 100") }
        guard (0...3).contains(unlikeness) else { throw ValidationError("--unlikeness must be from 0 to 3") }
        guard now.map({ Timestamp($0) != nil }) ?? true else { throw ValidationError("--now must be an RFC 3339 time") }
    }

    func run() async throws {
        try await CommandRunner.run {
            // In a directory of others, links could lead the devices' files anywhere.
            if let queues { try TrustedPath.require(queues, owners: [geteuid()], above: [0, geteuid()]) }
            var plan = FleetPlan.demo(now: now.flatMap { Timestamp($0) } ?? Self.present, seed: seed)
            plan.devices = devices
            for index in plan.segments.indices { plan.segments[index].forgers = forged }
            plan.unlikeness = unlikeness
            for index in plan.campaigns.indices where plan.campaigns[index].holdout == 0 {
                plan.campaigns[index].notifications = notifications
            }
            let traffic = FleetTraffic(plan, signer: try signer())
            guard let base = URL(string: url) else { return }
            if let key = Self.key("MANAGE_KEY") { try await FleetDeclarations(plan).put(to: base, key: key) }
            try await post(traffic, to: base)
        }
    }

    private func signer() throws -> ReceiptSigner? {
        guard let secret = Self.key("RECEIPT_SECRET") else { return nil }
        guard let app else { throw ValidationError("--app is required with AFTERPUSH_RECEIPT_SECRET") }
        guard let signer = ReceiptSigner(app: app, secret: secret) else {
            throw ValidationError("AFTERPUSH_RECEIPT_SECRET must be the output of `afterpush apps secret`")
        }
        return signer
    }

    private func post(_ traffic: FleetTraffic, to base: URL) async throws {
        guard let ingestKey = Self.key("INGEST_KEY"), let sendKey = Self.key("SEND_KEY") else {
            throw ValidationError("AFTERPUSH_INGEST_KEY and AFTERPUSH_SEND_KEY must be set")
        }
        if let truth {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try encoder.encode(traffic.truth).write(to: URL(filePath: truth), options: .atomic)
        }
        let poster = FleetPoster(
            baseURL: base, ingestKey: ingestKey, sendKey: sendKey, concurrency: concurrency,
            queues: queues.map { URL(filePath: $0) })
        let bar = ProgressBar(unit: "requests")
        let tally = try await poster.post(traffic) { done, all in
            bar.update(fraction: Double(done) / Double(all), count: done)
        }
        bar.finish()
        Terminal.print("stored \(tally.accepted), duplicates \(tally.duplicates), rejected \(tally.rejected)")
        if tally.rejected > 0 { Terminal.note("afterpush: rejected for \(tally.rejections)") }
        if tally.refused > 0 { Terminal.note("afterpush: \(tally.refused) requests refused because of their key") }
    }

    private static func key(_ name: String) -> String? {
        ProcessInfo.processInfo.environment["AFTERPUSH_\(name)"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The present in whole seconds, so that its RFC 3339 form is exact.
    private static var present: Timestamp {
        Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970) * 1_000_000)
    }
}
