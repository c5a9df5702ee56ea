import Events
import Foundation
import Simulator
import Storage
import TestSupport
import Testing

/// Tests `afterpush simulate` against a collector.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SimulateTests {
    @Test func `a fleet with forgers is simulated, its truth file is written, and a second run changes no count`()
        async throws
    {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let truthFile = FileManager.default.temporaryDirectory.appending(path: "truth-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: truthFile) }
        let environment = [
            "AFTERPUSH_INGEST_KEY": app.ingestKey, "AFTERPUSH_SEND_KEY": app.sendKey,
            "AFTERPUSH_MANAGE_KEY": try await app.registry.createKey(app: app.app, scope: .manage),
            "AFTERPUSH_RECEIPT_SECRET": try await app.receiptSecret(),
        ]
        let now = Date(timeIntervalSinceNow: -3_600).formatted(.iso8601)
        let arguments = [
            "simulate", collector.url, "--devices", "60", "--forged", "0.1", "--seed", "7", "--now", now, "--app",
            app.app.name, "--truth", truthFile.path,
        ]
        let first = try await Program.run(arguments, environment: environment)
        #expect(first.status == 0, "\(first.error)")
        let truth = try JSONDecoder().decode(FleetTruth.self, from: try Data(contentsOf: truthFile))
        let rejected = truth.forged.rejected.values.reduce(0, +)
        let stored = try await app.value("select count(*) from afterpush.events") ?? ""
        #expect(rejected > 0 && first.output.hasPrefix("stored \(stored), duplicates "))
        #expect(first.output.hasSuffix(", rejected \(rejected)\n"))
        #expect(try await app.value("select count(*) from afterpush.rejected_events") == "\(rejected)")
        #expect(
            try await app.value("select count(*) from afterpush.events where kind = 'sent'")
                == "\(truth.variants.reduce(0) { $0 + $1.sent })")
        try await app.waitForRollups()
        let values = truth.variants.map { $0.values["EUR"] ?? 0 }.reduce(0, +)
        #expect(
            try await app.value(
                "select sum(value) = \(values) from afterpush.rollup_values where not verified and currency = 'EUR'")
                == (values == 0 ? nil : "t"))

        let second = try await Program.run(arguments, environment: environment)
        #expect(second.output.hasPrefix("stored 0, duplicates "), "\(second.output)\(second.error)")
        #expect(try await app.value("select count(*) from afterpush.events") == stored)
        #expect(try await app.value("select sum(conflicts) from afterpush.batches") == "0", "the same content")
    }

    @Test func `a fleet posts to a collector over TLS only if its certificate is trusted`() async throws {
        let certificate = TestCertificate()
        defer { certificate.remove() }
        try await certificate.make()
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo, environment: certificate.environment)
        let environment = [
            "AFTERPUSH_INGEST_KEY": app.ingestKey, "AFTERPUSH_SEND_KEY": app.sendKey,
            "AFTERPUSH_MANAGE_KEY": try await app.registry.createKey(app: app.app, scope: .manage),
        ]
        let arguments = ["simulate", "https://localhost:\(collector.port)", "--devices", "20"]
        let refused = try await Program.run(arguments, environment: environment)
        #expect(refused.status == 1 && refused.error.contains("no response, SSL peer certificate"), "\(refused.error)")

        // Root can show one process another list of trusted certificates, where the system permits it.
        let unshare = URL(filePath: "/usr/bin/unshare")
        let trust = [
            "--mount", "sh", "-c", #"mount --bind "$0" /etc/ssl/certs/ca-certificates.crt && exec "$@""#,
            certificate.path,
        ]
        guard try await Program.run(trust + ["true"], program: unshare).status == 0 else {
            print("NOT RUN: posting over TLS, which needs root and mounts")
            return
        }
        let output = try await Program.run(
            trust + [Program.url.path] + arguments, program: unshare, environment: environment)
        let stored = try await app.value("select count(*) from afterpush.events") ?? ""
        #expect(output.status == 0 && stored != "0" && output.output.hasPrefix("stored \(stored), "), "\(output)")
    }

    @Test func `a missing or invalid option is an error that names it`() async throws {
        let none = ["AFTERPUSH_INGEST_KEY": "", "AFTERPUSH_SEND_KEY": "", "AFTERPUSH_RECEIPT_SECRET": ""]
        let keys = try await Program.run(["simulate", "http://127.0.0.1:9"], environment: none)
        #expect(keys.status != 0 && keys.error.contains("AFTERPUSH_INGEST_KEY"))
        let secret = try await Program.run(
            ["simulate", "http://127.0.0.1:9"], environment: none.merging(["AFTERPUSH_RECEIPT_SECRET": "x"]) { $1 })
        #expect(secret.status != 0 && secret.error.contains("--app"))
        let share = try await Program.run(["simulate", "http://127.0.0.1:9", "--forged", "2"], environment: none)
        #expect(share.status == 2 && share.error.contains("--forged"))
    }
}
