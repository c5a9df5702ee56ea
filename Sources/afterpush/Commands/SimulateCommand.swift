import AfterpushWire
import ArgumentParser
import Foundation
import Simulator

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulates a fleet of devices that post their events to a collector over HTTP.",
        discussion: """
            The fleet is the demo's: iOS, Android and web, with and without a service extension, with clocks that are \
            off, devices that are offline and requests that come twice; two sales and a survey within the last week. \
            Each device posts by the device library's own core. The same seed and time make the same events, so that \
            a second run counts nothing twice. What reports should find is written to a file by --truth.

            Keys: AFTERPUSH_INGEST_KEY and AFTERPUSH_SEND_KEY. With AFTERPUSH_MANAGE_KEY it declares its categories \
            and campaigns first. With AFTERPUSH_RECEIPT_SECRET, as `afterpush apps secret` prints it, and --app its \
            notifications have receipts. With --forged some devices post what is not true: what comes with a bad \
            receipt is to be rejected, what comes without one to stay unverified, and the file of --truth tells how \
            much of each there is.

            Example:
              AFTERPUSH_INGEST_KEY=ap_ingest_... AFTERPUSH_SEND_KEY=ap_send_... \\
                afterpush simulate http://127.0.0.1:8080 --devices 5000 --seed 7 --truth truth.json
            """)

    @Argument(help: "The collector's address.") var url: String
    @Option(help: "Number of devices.") var devices = 2_000
    @Option(help: "Seed of the simulation; the same seed gives the same events.") var seed: UInt64 = 2026
    @Option(help: "The end of the simulated week, RFC 3339; now by default.") var now: String?
    @Option(help: "File for the true numbers that reports should show, as JSON.") var truth: String?
    @Option(help: "The app's name, for the receipts.") var app: String?
    @Option(help: "Share of devices whose owners forge events, from 0 to 1.") var forged = 0.0
    @Option(help: "Directory for the devices' queues; by default they are in memory.")
    var queues: String?
    @Option(help: "Number of concurrent requests.") var concurrency = 16

    func validate() throws {
        guard let base = URL(string: url), ["http", "https"].contains(base.scheme), base.host != nil else {
            throw ValidationError("the collector's address must begin with http:// or https://")
        }
        guard devices > 0, concurrency > 0 else { throw ValidationError("--devices and --concurrency must be above 0") }
        guard (0...1).contains(forged) else { throw ValidationError("--forged must be from 0 to 1") }
        guard now.map({ Timestamp($0) != nil }) ?? true else { throw ValidationError("--now must be an RFC 3339 time") }
    }

    func run() async throws {
        try await CommandRunner.run {
            var plan = FleetPlan.demo(now: now.flatMap { Timestamp($0) } ?? Self.present, seed: seed)
            plan.devices = devices
            for place in plan.segments.indices { plan.segments[place].forgers = forged }
            let traffic = FleetTraffic(plan, signer: try signer())
            guard let base = URL(string: url) else { return }
            if let key = Self.key("MANAGE_KEY") { try await FleetDeclarations(plan).put(to: base, key: key) }
            try await post(traffic, to: base)
        }
    }

    private func signer() throws -> ReceiptSigner? {
        guard let secret = Self.key("RECEIPT_SECRET") else { return nil }
        guard let app else { throw ValidationError("--app is needed with AFTERPUSH_RECEIPT_SECRET") }
        guard let signer = ReceiptSigner(app: app, secret: secret) else {
            throw ValidationError("AFTERPUSH_RECEIPT_SECRET is not what `afterpush apps secret` prints")
        }
        return signer
    }

    private func post(_ traffic: FleetTraffic, to base: URL) async throws {
        guard let ingestKey = Self.key("INGEST_KEY"), let sendKey = Self.key("SEND_KEY") else {
            throw ValidationError("AFTERPUSH_INGEST_KEY and AFTERPUSH_SEND_KEY are needed")
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

    /// In whole seconds: what is written down is what was meant.
    private static var present: Timestamp {
        Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970) * 1_000_000)
    }
}
