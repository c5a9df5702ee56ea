import AfterpushWire
import Events
import Foundation
import Glibc
import Ingest
import Postgres
import Spool
import Storage
import TestSupport
import Testing

/// Tests `afterpush archive`.
@Suite struct ArchiveCommandTests {
    private let app: TestApp
    private let directory = FileManager.default.temporaryDirectory.path + "/archive-\(UUID().uuidString.prefix(8))"

    init() async throws {
        app = try await TestApp()
        _ = try await app.value("select afterpush.ensure_partitions(now(), 6, 1)")
    }

    private static func time(daysAgo days: Int) -> String {
        Date(timeIntervalSinceNow: -Double(days) * 86_400).formatted(.iso8601)
    }

    /// Stores events of two months that are older than 32 days, and one of today.
    private func store(_ count: Int, in app: TestApp) async throws {
        let old = (0..<count).map { number in
            EventJSON.event([
                "notification_id": "n-\(number)", "device_id": "d-\(number % 97)", "campaign_id": "spring \"sale\"\n",
                "occurred_at": Self.time(daysAgo: number.isMultiple(of: 2) ? 66 : 97), "kind": "action",
                "action_identifier": "=buy", "properties": ["text": "ü\u{1}"],
            ])
        }
        try await app.store(old + [EventJSON.event(["occurred_at": Self.time(daysAgo: 0)])])
        try await app.rollUp()
    }

    private func archive(_ arguments: String...) async throws -> Program.Output {
        try await Program.run(
            ["archive", "--dir", directory, "--older-than", "32d", "--database-url", app.conninfo] + arguments)
    }

    /// The events of all files in the archive: each without its position, which another database changes.
    private func archivedEvents() async throws -> [String] {
        var events: [String] = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory) where name.hasSuffix(".gz") {
            let text = try await Program.run(["-dc", directory + "/" + name], program: URL(filePath: "/bin/gzip"))
            #expect(text.status == 0, "\(name): \(text.error)")
            events += Self.withoutPosition(text.output)
        }
        return events.sorted()
    }

    private static func withoutPosition(_ ndjson: String) -> [String] {
        ndjson.split(separator: "\n").map { String($0.replacing(/"(batch_id|delivery_id)":"?[0-9a-f-]+"?,/, with: "")) }
            .sorted()
    }

    @Test func `old months are in files that another database imports, and reports stay the same`() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let other = try await TestApp(named: "a/../b", conninfo: app.conninfo)
        for app in [app, other] { try await store(300, in: app) }
        let report = ["report", "actions", "--app", "shop", "--from", "2020-01-01", "--format", "csv"]
        let before = try await Program.run(report + ["--database-url", app.conninfo])
        let checks = try await eventChecks()
        let export = ["export", "events", "--format", "ndjson", "--database-url"]
        let exported = try await Program.run(export + [app.conninfo, "--app", "shop"])

        let plan = try await archive("--dry-run")
        #expect(plan.output.contains(#/events\tevents_\d{4}_\d\d\t/#) && plan.error.contains("would be"), "\(plan)")
        #expect(plan.error.contains("would be rejected from then on"), "\(plan)")
        #expect(!FileManager.default.fileExists(atPath: directory))

        let done = try await archive()
        #expect(done.error.contains(#/events from before \d{4}-\d\d-01T00:00:00Z are rejected from now on/#), "\(done)")
        #expect(
            done.status == 0 && done.error.contains("600 events are in 4 files; their months were deleted"), "\(done)")
        let line = #/(?m)^shop\t.*/shop/events-\d{4}-\d\d\.ndjson\.gz\t150$/#
        #expect(done.output.matches(of: line).count == 2 && done.output.contains("a%2F..%2Fb/"), "\(done)")
        #expect(try await app.value("select count(*) from afterpush.events") == "2")
        let after = try await Program.run(report + ["--database-url", app.conninfo])
        #expect(after.output == before.output && before.output.contains(",300,300,"), "\(before) \(after)")
        #expect(try await eventChecks() == checks && checks.contains { $0.hasPrefix(#""delay","p50","#) }, "\(checks)")
        #expect(try await app.maintenance.verify().isEmpty)
        let again = try await archive()
        #expect(again.output.isEmpty && again.error.contains("is old enough"), "\(again)")

        let copy = try await TestApp()
        let files = try FileManager.default.subpathsOfDirectory(atPath: directory + "/shop").map {
            "\(directory)/shop/\($0)"
        }
        let imported = try await Program.run(
            ["import", "--app", "shop", "--wait", "--database-url", copy.conninfo] + files)
        #expect(imported.output == "stored 300, duplicates 0, rejected 0\n", "\(imported)")
        let copied = try await Program.run(export + [copy.conninfo, "--app", "shop"])
        let whole = Self.withoutPosition(exported.output)
        #expect(whole.count == 301)
        #expect(Set(Self.withoutPosition(copied.output)).isSubset(of: whole))
    }

    /// The rows of the reports `health` and `undeclared` that are about events.
    private func eventChecks() async throws -> [String] {
        var rows: [String] = []
        for report in ["health", "undeclared"] {
            let output = try await Program.run(
                ["report", report, "--app", "shop", "--format", "csv", "--database-url", app.conninfo])
            #expect(output.status == 0, "\(output)")
            rows += output.output.split(whereSeparator: \.isNewline).map(String.init)
        }
        return rows.filter { $0.contains(/^"(past_limit|verified|clock|delay|campaign|category|action)",/) }
    }

    @Test func `a file with other events is kept, and one that is complete is not written again`() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await store(10, in: app)
        let copy = try await TestApp()
        _ = try await copy.value("select afterpush.ensure_partitions(now(), 6, 1)")
        try await store(6, in: copy)
        let first = try await Program.run(
            ["archive", "--dir", directory, "--older-than", "32d", "--database-url", copy.conninfo])
        #expect(first.status == 0, "\(first)")
        let kept = try await archivedEvents()
        let second = try await archive()
        #expect(second.output.matches(of: #/-2\.ndjson\.gz\t5\n/#).count == 2, "\(second)")
        let all = try await archivedEvents()
        #expect(all.count == 16 && Set(kept).isSubset(of: all))
    }

    @Test func `files with typed text are files of their own, and unfinished files are removed`() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await app.store([
            EventJSON.event([
                "kind": "text_input", "action_identifier": "answer", "user_text": "gladly",
                "occurred_at": Self.time(daysAgo: 66),
            ])
        ])
        try await app.rollUp()
        let folder = directory + "/shop"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("half".utf8).write(to: URL(filePath: folder + "/events-2026-01.ndjson.gz.part-0A1B2C3D"))
        let done = try await archive("--include-text")
        #expect(done.output.contains(#/-text\.ndjson\.gz\t1\n/#), "\(done)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        #expect(try await archivedEvents()[0].contains(#""user_text":"gladly""#))
    }

    @Test func `an archive leaves out devices whose erasure was requested`() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await store(300, in: app)
        let spool = CollectorProcess.spoolDirectory()
        defer { try? FileManager.default.removeItem(atPath: spool) }
        // The suppression file in the usual directory may be of another test.
        let erased = try await Program.run(
            ["erase", "d-1", "--app", "shop", "--database-url", app.conninfo],
            environment: ["AFTERPUSH_SPOOL_DIR": spool])
        #expect(erased.status == 0, "\(erased)")
        let done = try await archive()
        #expect(done.status == 0, "\(done)")
        let events = try await archivedEvents()
        #expect(events.count == (0..<300).count { $0 % 97 != 1 })
        #expect(!events.contains { $0.contains(#""device_id":"d-1""#) })
    }

    @Test func `files of a month stay if the reply to its deletion is lost and a device is erased`() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await store(10, in: app)
        let address = try DatabaseAddress(app.conninfo)
        let proxy = try TCPProxy(to: address.upstream)
        defer { proxy.close() }
        // The commit after the first month with a file was dropped.
        let isDropping = DoneFlag()
        let directory = directory
        proxy.mode = .cutReplies(left: 1) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let files = (try? FileManager.default.subpathsOfDirectory(atPath: directory)) ?? []
            if text.contains("afterpush.drop_expired_partition()"), files.contains(where: { $0.hasSuffix(".gz") }) {
                isDropping.set()
            }
            return isDropping.isSet && text.contains("commit")
        }
        let command = ["archive", "--dir", directory, "--older-than", "32d", "--database-url"]
        let archiving = Task { try await Program.run(command + [address.conninfo(through: proxy)]) }
        try await app.waitUntil("the reply is lost") { proxy.cuts == 1 }
        // The next attempt comes after the erasure was requested.
        proxy.mode = .reset
        _ = try await app.value("select afterpush.request_erasure(\(app.app.id), 'd-1')")
        proxy.mode = .pass
        let output = try await archiving.value
        #expect(output.status == 1 && output.error.contains("is deleted already"), "\(output)")
        let again = try await archive()
        #expect(again.status == 0, "\(again)")
        #expect(try await app.value("select count(*) from afterpush.events") == "1")
        // The event of d-1 was archived before the request.
        #expect(try await archivedEvents().count == 10)
    }

    @Test func `nothing is archived while the spool of a stopped collector holds events`() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await store(2, in: app)
        let spool = CollectorProcess.spoolDirectory()
        defer { try? FileManager.default.removeItem(atPath: spool) }
        let connection = try await Connection.open(
            PostgresConfiguration(searchingOnlyPostgres: app.conninfo), logger: TestCluster.logger)
        var configuration = Spool.Configuration(directory: spool)
        configuration.owner = try await Spool.owner(on: connection)
        await connection.close()
        let stopped = try await Spool.open(configuration, logger: TestCluster.logger)
        let submission = try Submission.read(Array(try EventJSON.body([EventJSON.event()])), as: .json)
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let context = ValidationContext(appID: app.app.id, scope: .send, receivedAt: now)
        _ = try await stopped.add(EventGroup([PendingSubmission(submission, context)]))
        await stopped.close()
        for command in [["archive", "--dir", directory, "--older-than", "32d"], ["retention", "--events", "32d"]] {
            let output = try await Program.run(
                command + ["--database-url", app.conninfo], environment: ["AFTERPUSH_SPOOL_DIR": spool])
            #expect(output.status != 0 && output.error.contains("holds 1 events that are not stored yet"), "\(output)")
        }
        #expect(try await app.value("select isfinite(sealed_before) from afterpush.rollup_worker") == "f")
    }

    @Test func `a run that is killed at any moment loses nothing, and the next one completes it`() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var apps = [app]
        for number in 0..<5 { apps.append(try await TestApp(named: "app \(number)", conninfo: app.conninfo)) }
        for app in apps { try await store(400, in: app) }
        for milliseconds in stride(from: 100, through: 1_000, by: 100) {
            let file = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
            try Data().write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let run = try ChildProcess(
                Program.url,
                ["archive", "--dir", directory, "--older-than", "32d", "--database-url", app.conninfo],
                environment: ProcessInfo.processInfo.environment, input: file, output: file, error: file)
            try await Task.sleep(for: .milliseconds(milliseconds))
            Glibc.kill(run.processIdentifier, SIGKILL)
            while run.isRunning { try await Task.sleep(for: .milliseconds(5)) }
            let stored = Int(try await app.value("select count(*) from afterpush.events") ?? "") ?? 0
            let archived = FileManager.default.fileExists(atPath: directory) ? try await archivedEvents().count : 0
            #expect(stored + archived >= apps.count * 401, "\(milliseconds) ms: \(stored) stored, \(archived) archived")
        }
        #expect(try await archive().status == 0)
        #expect(try await archivedEvents().count == apps.count * 400)
        #expect(try await app.value("select count(*) from afterpush.events") == "\(apps.count)")
    }

    @Test func `a wrong period or directory is refused before anything is sealed`() async throws {
        try await store(2, in: app)
        for (arguments, reason) in [
            (["--dir", directory, "--older-than", "forever"], "must be a number of days"),
            (["--dir", directory, "--older-than", "soon"], "must be forever, or a number"),
            (["--dir", "/dev/null", "--older-than", "32d"], "/dev/null can't be used"),
            (["--dir", "/dev/null/x", "--older-than", "32d"], "/dev/null/x can't be used"),
        ] {
            let output = try await Program.run(["archive", "--database-url", app.conninfo] + arguments)
            #expect(output.status != 0 && output.error.contains(reason), "\(arguments): \(output)")
        }
        let kept = try await Program.run(
            ["archive", "--dir", directory, "--older-than", "32d", "--database-url", app.conninfo],
            environment: ["AFTERPUSH_RETENTION_EVENTS": "32d", "AFTERPUSH_RETENTION_DELIVERIES": "32d"])
        #expect(kept.status == 2 && kept.error.contains("AFTERPUSH_RETENTION_EVENTS"), "\(kept)")
        #expect(try await app.value("select isfinite(sealed_before) from afterpush.rollup_worker") == "f")
    }

    @Test func `nothing is sealed if no month has events to archive`() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        // It is in the default partition, and the partitions of the months that are old enough are empty.
        try await app.store([EventJSON.event(["occurred_at": Self.time(daysAgo: 300)])])
        try await app.rollUp()
        for arguments in [["--dry-run"], []] {
            let output = try await Program.run(
                ["archive", "--dir", directory, "--older-than", "32d", "--database-url", app.conninfo] + arguments)
            #expect(output.status == 0 && output.output.isEmpty, "\(output)")
            #expect(output.error.contains("no month with events to archive is old enough"), "\(output)")
            #expect(!output.error.contains("rejected"), "\(output)")
        }
        #expect(try await app.value("select isfinite(sealed_before) from afterpush.rollup_worker") == "f")
        #expect(try await app.value("select isfinite(rejected_before) from afterpush.retention_state") == "f")
        #expect(try await app.store([EventJSON.event(["occurred_at": Self.time(daysAgo: 66)])]) == 1)
    }

    @Test func `a directory that others could exchange is refused`() async throws {
        try await store(2, in: app)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(
            atPath: directory + "/inside", withIntermediateDirectories: true)
        chmod(directory, 0o777)
        let output = try await Program.run(
            ["archive", "--dir", directory + "/inside", "--older-than", "32d", "--database-url", app.conninfo])
        #expect(output.status != 0 && output.error.contains(directory), "\(output)")
        #expect(try await app.value("select isfinite(sealed_before) from afterpush.rollup_worker") == "f")
    }

    @Test func `two runs don't write to the same directory`() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await store(2, in: app)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        let descriptor = open(directory, O_RDONLY)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        let output = try await archive()
        #expect(output.status == 1 && output.error.contains("another command is writing to it"), "\(output)")
    }
}
