import Foundation
import TestSupport
import Testing

/// Tests that a mistyped name is answered with the one that was meant, and exit code 2.
@Suite struct MistypedTests {
    @Test(arguments: [
        (["repot", "conversion", "--app", "shop"], #"there is no command "repot"; did you mean report?"#),
        (["conversion", "--app", "shop"], #"there is no command "conversion"; did you mean report conversion?"#),
        (["keys", "lst"], #"there is no command "keys lst"; did you mean keys list?"#),
        (["frobnicate"], #"there is no command "frobnicate"; there are serve, demo, migrate, apps"#),
        (["report", "conversio"], #"there is no report named "conversio"; did you mean conversion?"#),
        (["report", "conversion", "--set", "mni_n=3"], "did you mean min_n?"),
        (["report", "conversion", "--sort", "conversion_rat"], "did you mean conversion_rate?"),
        (["reports", "heatmapp"], "did you mean heatmap?"),
    ])
    func `a mistyped command, report, parameter or column`(arguments: [String], expected: String) async throws {
        let run = try await Program.run(arguments)
        #expect(run.status == 2 && run.error.contains(expected), "\(run)")
        #expect(run.output.isEmpty)
    }

    @Test func `a mistyped setting of the environment, and any unknown one of the config file`() async throws {
        let variable = try await Program.run(
            ["report", "conversion"], environment: ["AFTERPUSH_HTTP_BODY_TIMOUT": "3"])
        #expect(variable.status == 2)
        #expect(
            variable.error.contains(
                "there is no setting AFTERPUSH_HTTP_BODY_TIMOUT; did you mean AFTERPUSH_HTTP_BODY_TIMEOUT?"),
            "\(variable)")
        for name in ["AFTERPUSH_HTTP_BODY_BYTES", "AFTERPUSH_RATE_BURST"] {
            let run = try await Program.run(["serve"], environment: [name: "\(Int.max)"])
            #expect(run.status == 2 && run.error.contains(" must be at most "), "\(run)")
        }
        let file = FileManager.default.temporaryDirectory.appending(
            path: "afterpush-\(UUID().uuidString.prefix(8)).json")
        defer { try? FileManager.default.removeItem(at: file) }
        for (text, expected) in [
            (#"{"port":8081,"prot":9}"#, "has the unknown setting prot; did you mean port?"),
            (#"{"http":{"body":{"zebra":1}}}"#, "has the unknown setting http.body.zebra"),
            (#"{"http":{"hosts":["a.example"]}}"#, "has an array as http.hosts, which must be a text or a number"),
            (#"{"port":true,"tls":{}}"#, "has a boolean as port"),
            (#"{"database":{"url":null}}"#, "has null as database.url"),
            (#"{"http":{"hosts":[]}}"#, "has an array as http.hosts"), ("[1]", "the config file"),
        ] {
            try Data(text.utf8).write(to: file)
            let run = try await Program.run(["report", "conversion", "--config", file.path])
            #expect(run.status == 2 && run.error.contains(expected), "\(run)")
        }
    }

    @Test func `a config file that can't be read is named with the reason`() async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try Data("{".utf8).write(to: URL(filePath: directory + "/broken.json"))
        for (path, reason) in [
            (directory + "/none.json", "can't be read: No such file or directory"),
            (directory + "/broken.json", "is not valid JSON"),
        ] {
            let run = try await Program.run(["report", "conversion", "--config", path])
            #expect(run.status == 2 && run.error.contains("the config file \(path) \(reason)"), "\(run)")
        }
    }

    @Test func `another variable with the prefix is no setting and no error`() async throws {
        let conninfo = try await TestCluster.database()
        let run = try await Program.run(
            ["apps", "create", "shop", "--database-url", conninfo],
            environment: [
                "AFTERPUSH_SEND_KEY": "ap_send_x", "AFTERPUSH_RECEIPT_SECRET": "x", "AFTERPUSH_PASSWORD": "x",
            ])
        #expect(run.status == 0, "\(run)")
    }
}
