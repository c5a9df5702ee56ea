import Declarations
import Foundation
import Storage
import TestSupport
import Testing

/// Whether ports below 1024 are reserved, as they are outside of most containers.
private let lowPortsNeedPermission =
    (try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_unprivileged_port_start", encoding: .utf8))
    .flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 1_024 > 80

/// Tests the commands against a database of their own.
@Suite struct CommandTests {
    private func run(_ arguments: [String], _ conninfo: String, input: String? = nil) async throws -> Program.Output {
        try await Program.run(arguments + ["--database-url", conninfo], input: input)
    }

    private static let config = Program.root.appending(path: "Tests/CollectorTests/Fixtures/notification-config.json")
        .path

    @Test func `commands prepare an empty database and do everything from creating an app to running a report`()
        async throws
    {
        let conninfo = try await TestCluster.database(empty: true)
        #expect(try await run(["apps", "create", "shop"], conninfo).output == "shop\n")
        let key = try await run(["keys", "create", "--app", "shop", "--scope", "ingest"], conninfo)
        #expect(key.status == 0)
        #expect(key.output.wholeMatch(of: /ap_ingest_[A-Za-z0-9_\-]{43}\n/) != nil, "only the key")
        let first = try await run(["categories", "import", Self.config], conninfo)
        #expect(first.output == "flash-sale\tversion 1\nsurvey\tversion 1\n")
        let again = try await run(["categories", "import", Self.config, "--app", "shop"], conninfo)
        #expect(again.output == "flash-sale\tunchanged\nsurvey\tunchanged\n")
        let changed = #"{"categories":[{"identifier":"survey","actions":[{"identifier":"answer","title":"Tell us"}]}]}"#
        let second = try await run(["categories", "import", "-"], conninfo, input: changed)
        #expect(second.output == "survey\tversion 2\nflash-sale\tretired\n")
        let report = try await run(["report", "actions", "--format", "csv"], conninfo)
        #expect(report.output.hasPrefix("category_id,campaign_id,variant,action_id,title,declared,offered_n"))
        #expect(CSV.parse(report.output).dropFirst().map { $0[3] } == ["answer"])
        #expect(try await run(["rollup", "verify"], conninfo).status == 0)
        #expect(try await run(["migrate"], conninfo).status == 0)
    }

    @Test(arguments: [
        ["rollup", "verify"], ["rollup", "rebuild"], ["report", "conversion"], ["apps", "list"],
    ]) func `commands that work on stored data fail on a database without a schema, and make none`(
        _ arguments: [String]
    ) async throws {
        let conninfo = try await TestCluster.database(empty: true)
        let output = try await run(arguments, conninfo)
        let expected = "afterpush: the database has no schema of Afterpush; 'afterpush migrate' creates it\n"
        #expect(output.status == 1 && output.output.isEmpty && output.error == expected, "\(output)")
        let schemas = try await Program.run(
            ["-XAtd", conninfo, "-c", "select count(*) from pg_namespace where nspname = 'afterpush'"],
            program: URL(filePath: "/usr/bin/psql"))
        #expect(schemas.output == "0\n", "\(schemas)")
    }

    @Test func `the connection string that is printed has no password`() async throws {
        let app = try await TestApp()
        let secret = "it's-a \\secret"
        let quoted = secret.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        let conninfo = app.conninfo + " password='\(quoted)' sslpassword=other-secret options='-c geqo=off'"
        let output = try await run(["database-url"], conninfo)
        #expect(output.status == 0, "\(output)")
        for part in ["secret", "password"] { #expect(!(output.output + output.error).contains(part), "\(output)") }
        let psql = try await Program.run(
            [
                "-XAtd", output.output.trimmingCharacters(in: .newlines), "-c", "select name from afterpush.apps",
                "-c", "show geqo",
            ], program: URL(filePath: "/usr/bin/psql"))
        #expect(psql.output == "shop\noff\n", "\(psql)")
    }

    @Test func `a revoked key is refused and never shown again`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        let body = EventJSON.body(raw: [EventJSON.raw()])
        #expect(try await client.post("/v1/events", body, key: app.ingestKey).status == 200)
        let list = try await run(["keys", "list", "--app", "shop"], app.conninfo).output
        #expect(!list.contains(app.ingestKey))
        let number = try #require(
            list.split(separator: "\n").first { $0.contains("ingest") }?.split(separator: "\t").first)
        #expect(try await run(["keys", "revoke", String(number)], app.conninfo).status == 0)
        try await Task.sleep(for: .milliseconds(2_200))
        #expect(try await client.post("/v1/events", body, key: app.ingestKey).status == 401)
        for key in [app.ingestKey, app.sendKey, app.readKey] { #expect(!collector.errorOutput.contains(key)) }
        await collector.stop()
    }

    @Test(arguments: [
        ["export", "events"], ["report", "conversion"], ["import", "/dev/null"], ["retention"], ["rollup", "verify"],
        ["keys", "list"], ["campaigns", "list"], ["apps", "list"], ["database-url"],
    ])
    func `commands that work on stored data do not create a mistyped directory`(_ arguments: [String])
        async throws
    {
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        let output = try await Program.run(
            arguments + ["--data-dir", directory], environment: ["AFTERPUSH_DATABASE_URL": "", "DATABASE_URL": ""])
        #expect(output.status == 1 && output.output.isEmpty, "\(output)")
        #expect(
            output.error.hasPrefix("afterpush: there is no database URL, and no cluster in \(directory)"), "\(output)")
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    @Test func `the error for a missing cluster has the whole path of the working directory`() async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let output = try await Program.run(
            ["--chdir", directory, Program.url.path, "apps", "list"], program: URL(filePath: "/usr/bin/env"),
            environment: ["AFTERPUSH_DATABASE_URL": "", "DATABASE_URL": ""])
        #expect(output.status == 1, "\(output)")
        #expect(output.error.contains("no cluster in \(directory)/.afterpush: name its directory with --data-dir"))
    }

    @Test func `a file name in a message can't control the terminal`() async throws {
        let app = try await TestApp()
        let name = "/nowhere/\u{1B}[31mred\u{7}\u{202E}.ndjson"
        for arguments in [["import", name], ["categories", "import", name], ["report", name]] {
            let output = try await run(arguments, app.conninfo)
            #expect(output.status != 0 && output.error.contains("red"), "\(output)")
            #expect(
                !output.error.unicodeScalars.contains { "\u{1B}\u{7}\u{202E}".unicodeScalars.contains($0) }, "\(output)"
            )
        }
    }

    @Test func `a name in a report can't control the terminal, whatever the format`() async throws {
        let app = try await TestApp()
        let event = EventJSON.event(["kind": "sent", "campaign_id": "a\u{1B}[31mred"])
        try await app.store([event])
        try await app.rollUp()
        let arguments = ["report", "conversion", "--app", "shop", "--by", "campaign", "--database-url", app.conninfo]
        for format in ["table", "csv", "json"] {
            let command = Program.shell([Program.url.path] + arguments + ["--format", format])
            // It gives the command a terminal.
            let output = try await Program.run(
                ["--quiet", "--return", "--command", command, "/dev/null"], program: URL(filePath: "/usr/bin/script"))
            #expect(output.status == 0 && output.output.contains("[31mred"), "\(format): \(output)")
            #expect(!output.output.contains("\u{1B}[31m"), "\(format): \(output)")
        }
        let piped = try await run(arguments.dropLast(2) + ["--format", "csv"], app.conninfo)
        #expect(piped.output.contains("\u{1B}[31mred"), "a file holds the name as it is")
    }

    @Test func `a name makes no rows or cells in a list, and JSON on a terminal has no control characters`()
        async throws
    {
        let app = try await TestApp()
        let name = "x\n1\tshop\t/\u{9B}31m\u{202E}\u{2028}\u{1B}\u{7F}"
        let campaign = try JSONSerialization.data(withJSONObject: ["name": name, "variants": [["id": "a"]]])
        try await app.registry.putCampaign(CampaignDeclaration(Array(campaign), identifier: "c"), app: app.app)
        let list = try await run(["campaigns", "list", "--app", "shop"], app.conninfo)
        #expect(list.output == "c\tx␊1␉shop␉/\u{FFFD}31m\u{FFFD}\u{FFFD}␛␡\ta\n", "\(list)")
        let arguments = ["campaigns", "show", "c", "--app", "shop", "--database-url", app.conninfo]
        let command = Program.shell([Program.url.path] + arguments)
        let shown = try await Program.run(
            ["--quiet", "--return", "--command", command, "/dev/null"], program: URL(filePath: "/usr/bin/script"))
        let marks = "\u{9B}\u{202E}\u{2028}\u{1B}\u{7F}".unicodeScalars
        #expect(!shown.output.unicodeScalars.contains { marks.contains($0) }, "\(shown)")
        for text in [shown.output, try await run(arguments.dropLast(2) + [], app.conninfo).output] {
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            #expect(object?["name"] as? String == name, "\(text)")
        }
    }

    @Test func `a message of the database can't look like a line of the program`() async throws {
        let app = try await TestApp()
        try await TestCluster.script(
            """
            create function public.refuse() returns trigger language plpgsql as $$
            begin
                raise exception using message = E'no\\nafterpush: forged', hint = E'none\\r\\nafterpush: forged';
            end
            $$;
            create trigger refuse before insert on afterpush.apps for each row execute function public.refuse()
            """, on: app.conninfo)
        let output = try await run(["apps", "create", "other"], app.conninfo)
        #expect(output.status == 1 && output.error.contains("no afterpush: forged"), "\(output)")
        #expect(output.error.contains("Hint: none afterpush: forged"), "\(output)")
        #expect(!output.error.contains("\nafterpush: forged"), "\(output)")
    }

    @Test func `an error is one clear line with the matching exit code`() async throws {
        let app = try await TestApp()
        _ = try await TestApp(named: "other", conninfo: app.conninfo)
        let cases: [([String], Int32, String)] = [
            (["report", "nope"], 2, "nope"), (["report", "conversion", "--app", "shop", "--by", "x"], 2, "by"),
            (["report", "conversion", "--app", "shop", "--from", "soon"], 2, "from"),
            (["report", "conversion"], 1, "--app"), (["report", "conversion", "--app", "none"], 1, "none"),
            (["apps", "create", "shop"], 1, "already"), (["keys", "revoke", "999"], 1, "999"),
            (["keys", "create", "--scope", "all"], 2, "--scope"),
            (["categories", "import", "/nowhere.json", "--app", "shop"], 1, "/nowhere.json"),
        ]
        for (arguments, status, word) in cases {
            let output = try await run(arguments, app.conninfo)
            #expect(output.status == status, "\(arguments): \(output.error)")
            #expect(output.error.contains(word), "\(arguments): \(output.error)")
            #expect(output.output.isEmpty, "\(arguments): \(output.output)")
        }
        let first = try await CollectorProcess(conninfo: app.conninfo)
        let second = try await run(["serve", "--port", String(first.port)], app.conninfo)
        #expect(second.status == 1)
        #expect(
            second.error == "afterpush: 127.0.0.1:\(first.port) is in use by another program; "
                + "choose a port with --port, or --port 0 for a free one\n")
        await first.stop()
    }

    @Test(arguments: ["serve", "demo"])
    func `an invalid port and an address of another machine are refused before anything is created`(
        command: String
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        func refusal(_ arguments: [String]) async throws -> Program.Output {
            try await Program.run(
                [command, "--data-dir", directory] + arguments,
                environment: ["AFTERPUSH_DATABASE_URL": "", "DATABASE_URL": ""])
        }
        for port in ["65536", "99999", "-1"] {
            let output = try await refusal(["--port=\(port)"])
            #expect(output.status == 2, "\(output)")
            #expect(output.error.contains("port must be a number from 0 to 65535"), "\(output)")
        }
        // It is for documentation, so no machine has it.
        let foreign = try await refusal(["--host", "192.0.2.1", "--port", "0"])
        #expect(foreign.status == 1, "\(foreign)")
        #expect(foreign.error == "afterpush: 192.0.2.1 is not an address of this machine; choose one with --host\n")
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    @Test(.enabled(if: lowPortsNeedPermission, "NOT RUN: here all users may open port 80"))
    func `a port that the program may not open is refused before anything is created`() async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        // Without that capability, root may open only the ports that others may.
        let lacking = ["/usr/bin/setpriv", "--bounding-set", "-net_bind_service", "--inh-caps", "-net_bind_service"]
        let output = try await Program.run(
            ["30"] + (geteuid() == 0 ? lacking : []) + [
                Program.url.path, "serve", "--port", "80", "--data-dir", directory,
            ],
            program: URL(filePath: "/usr/bin/timeout"),
            environment: ["AFTERPUSH_DATABASE_URL": "", "DATABASE_URL": ""])
        #expect(output.status == 1, "\(output)")
        #expect(output.error.hasPrefix("afterpush: port 80 can't be opened: permission denied; "), "\(output)")
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    @Test func `a collector does not start without its directory of reports`() async throws {
        let conninfo = try await TestCluster.database()
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        let words = ["serve", "--port", "0", "--database-url", conninfo]
        let outputs = [
            try await Program.run(words + ["--reports", directory]),
            try await Program.run(words, environment: ["AFTERPUSH_REPORTS_DIR": directory]),
        ]
        for output in outputs {
            #expect(output.status == 2, "\(output)")
            let reason = "the reports directory \(directory) can't be read: No such file or directory"
            #expect(output.error.contains(reason), "\(output)")
        }
    }

    @Test func `the error for an output file that can't be written contains the system's reason`() async throws {
        let app = try await TestApp()
        let path = "/nowhere/report.csv"
        let output = try await run(["report", "conversion", "--app", "shop", "--out", path], app.conninfo)
        #expect(output.status == 1)
        #expect(output.error == "afterpush: \(path) can't be written: No such file or directory\n")
    }

    @Test func `the extension of the output file determines its format unless --format is given`() async throws {
        let app = try await TestApp()
        let path = FileManager.default.temporaryDirectory.appending(path: "overview-\(UUID().uuidString).csv").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (flags, first) in [([], "metric,"), (["--format", "ndjson"], "{\"metric\"")] {
            let output = try await run(["report", "overview", "--app", "shop", "--out", path] + flags, app.conninfo)
            #expect(output.status == 0, "\(output.error)")
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.hasPrefix(first), "\(text)")
        }
    }

    @Test(arguments: ["report.foo", "report.csv.gz"])
    func `an output file without the ending of a format is refused unless --format is given`(
        name: String
    ) async throws {
        let app = try await TestApp()
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)-\(name)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let arguments = ["report", "overview", "--app", "shop", "--out", path]
        let refused = try await run(arguments, app.conninfo)
        #expect(refused.status == 2 && refused.error.contains("which is not the ending of a format"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: path))
        let named = try await run(arguments + ["--format", "csv"], app.conninfo)
        #expect(named.status == 0, "\(named)")
    }

    @Test func `the bench command measures a collector of its own or a running one`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let flags = ["--seconds", "1", "--connections", "2"]
        let running = try await Program.run(
            ["bench", collector.url] + flags, environment: ["AFTERPUSH_INGEST_KEY": app.ingestKey])
        #expect(running.status == 0, "\(running.error)")
        let stored = try await app.value("select count(*) from afterpush.events where campaign_id = 'bench'")
        #expect(Int(stored ?? "") ?? 0 >= 111, "a request of each size at least")
        // A database of its own, although the environment names one.
        let own = try await run(["bench"] + flags, app.conninfo)
        #expect(own.status == 0, "\(own.error)")
        #expect(try await app.value("select count(*) from afterpush.events") == stored)
        for output in [running.output, own.output] {
            let rows = output.split(separator: "\n").dropFirst().prefix(3).map { $0.split(separator: " ") }
            #expect(rows.map { $0.first ?? "" } == ["1", "10", "100"], "\(output)")
            #expect(rows.allSatisfy { $0.last == "0" && $0[1] != "0" }, "\(output)")
        }
        #expect(own.output.contains("reports counted all events"))
        let keyless = try await Program.run(["bench", collector.url], environment: ["AFTERPUSH_INGEST_KEY": ""])
        #expect(keyless.status == 2 && keyless.error.contains("AFTERPUSH_INGEST_KEY"), "\(keyless.error)")
        await collector.stop()
    }

    @Test func `no error contains the connection string`() async throws {
        let output = try await Program.run([
            "apps", "list", "--database-url", "postgres://someone:canary-secret@127.0.0.1:1/none",
        ])
        #expect(output.status == 1)
        #expect(!output.error.contains("canary-secret"), "\(output.error)")
    }

    @Test func `a command fails if the disk is too full for its output`() async throws {
        let result = try await Program.run(
            ["-c", "'\(Program.url.path)' version >/dev/full"], program: URL(filePath: "/bin/sh"))
        #expect(result.status == 1)
        #expect(result.error == "afterpush: could not write all of the output: No space left on device\n")
    }
}
