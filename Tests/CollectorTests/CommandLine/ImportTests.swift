import Foundation
import Glibc
import ReferenceModel
import Storage
import TestSupport
import Testing

/// Tests importing files.
@Suite(.serialized) struct ImportTests {
    /// A folder for the files of a test.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.path + "/afterpush-import-\(UUID().uuidString.prefix(8))"

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func file(_ name: String, _ text: String) throws -> String {
            try file(name, Data(text.utf8))
        }

        func file(_ name: String, _ data: Data) throws -> String {
            try data.write(to: URL(filePath: path + "/" + name))
            return path + "/" + name
        }
    }

    private func run(_ arguments: [String], _ app: TestApp, input: String? = nil) async throws -> Program.Output {
        try await Program.run(
            ["import", "--app", app.app.name] + arguments + ["--database-url", app.conninfo], input: input)
    }

    private static func line(_ number: Int, kind: String = "opened") -> String {
        let id = String(number, radix: 16)
        let padded = String(repeating: "0", count: 12 - id.count) + id
        return
            #"{"event_id":"00000000-0000-4000-8000-\#(padded)","kind":"\#(kind)","notification_id":"n\#(number / 100)","#
            + #""device_id":"d\#(number)","occurred_at":"2026-11-10T10:00:00Z","platform":"ios","mine":\#(number)}"#
    }

    @Test func `files of every format are imported together, and importing them again adds nothing`() async throws {
        let app = try await TestApp()
        let folder = try Folder()
        let csv =
            "event_id;kind;notification_id;device_id;occurred_at;mine\r\n"
            + "00000000-0000-4000-8000-00000000ffff;sent;n;d;2026-11-10T10:00:00Z;\"a\r\nb\"\r\n"
        let zipped = try await ZipArchive.compress(
            Data((200..<300).map { Self.line($0) + "\n" }.joined().utf8), windowBits: 31)
        let files = [
            try folder.file("a.ndjson", (0..<100).map { Self.line($0) + "\r\n" }.joined()),
            try folder.file("b.json", "[" + (50..<150).map { Self.line($0) }.joined(separator: ",\n") + "]"),
            try folder.file("c.csv", "\u{FEFF}" + csv), try folder.file("d", zipped), try folder.file("e.csv", ""),
        ]
        let request = "{\"sent_at\":\"2020-01-01T00:00:00Z\",\"events\":[\(Self.line(400))]}"
        let first = try await run(files + ["-"], app, input: request)
        #expect(first.status == 0, "\(first.error)")
        #expect(first.output == "stored 252, duplicates 50, rejected 0\n")
        #expect(first.error.contains("reports don't count"))
        let again = try await run(files + ["-", "--wait"], app, input: request)
        #expect(again.output == "stored 0, duplicates 302, rejected 0\n")
        #expect(!again.error.contains("reports don't count"))
        #expect(try await app.value("select count(*) from afterpush.events") == "252")
        #expect(try await app.value("select count(*) from afterpush.batches where rolled_up_at is null") == "0")
        #expect(try await app.value("select count(*) from afterpush.events where occurred_at <> device_time") == "0")
        #expect(
            try await app.value("select properties->>'mine' from afterpush.events where kind = 'sent'") == "a\r\nb")
        #expect(try await app.value("select properties->'mine' from afterpush.events where device_id = 'd7'") == "7")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 5, "no file of rejections")
    }

    @Test func `rejected events are written to a file with line and reason, and all others are imported`() async throws
    {
        let app = try await TestApp()
        let folder = try Folder()
        let lines = [
            Self.line(1), "", "not JSON", Self.line(2, kind: "sung"), #"{"kind":"opened"}"#, Self.line(3),
            #"{"event_id":"00000000-0000-4000-8000-0000000000aa","kind":"sent","user_text":"a secret"}"#,
        ]
        let file = try folder.file("bad.ndjson", lines.joined(separator: "\n"))
        let output = try await run([file], app)
        #expect(output.status == 0)
        #expect(output.output == "stored 2, duplicates 0, rejected 4\n")
        #expect(output.error.contains(file + ".rejected.ndjson"))
        let text = try String(contentsOfFile: file + ".rejected.ndjson", encoding: .utf8)
        let rejected = try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(rejected.compactMap { $0["line"] as? Int } == [3, 4, 5, 7])
        #expect(
            rejected.compactMap { $0["code"] as? String } == [
                "invalid_json_type", "kind_unknown", "field_missing", "field_missing",
            ])
        #expect(rejected.allSatisfy { $0["file"] as? String == file && $0["detail"] is String })
        #expect(!text.contains("a secret"))
        #expect(try await app.value("select count(*) from afterpush.rejected_events") == "4")
        let elsewhere = folder.path + "/elsewhere"
        #expect(try await run([file, "--rejected", elsewhere], app).output == "stored 0, duplicates 2, rejected 4\n")
        #expect(try String(contentsOfFile: elsewhere, encoding: .utf8) == text)
    }

    @Test func `rejected events go to the requested file, which never overwrites an imported one`() async throws {
        let app = try await TestApp()
        let folder = try Folder()
        let text = Self.line(1) + "\nbroken\n"
        let file = try folder.file("a.ndjson", text)
        let beside = try folder.file("a.ndjson.rejected.ndjson", Self.line(2) + "\n")
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        for arguments in [[file, "--rejected", file], [file, "--rejected", link], [beside, file]] {
            let output = try await run(arguments, app)
            #expect(output.status == 1 && output.error.contains("it is one of the files to import"), "\(output.error)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        }
        #expect(try String(contentsOfFile: beside, encoding: .utf8) == Self.line(2) + "\n")
        let nowhere = try await run([file, "--rejected", folder.path], app)
        #expect(nowhere.status == 1 && nowhere.error.contains("Is a directory"), "\(nowhere.error)")
        #expect(try await app.value("select count(*) from afterpush.events") == "0")

        let target = try folder.file("target", "before")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target)
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let linked = try await run([file, "--rejected", link], app)
        #expect(linked.status == 1 && linked.error.contains("it is a symbolic link"), "\(linked.error)")
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "before")
        #expect(try await run([file, "--rejected", target], app).status == 0)
        #expect(try String(contentsOfFile: target, encoding: .utf8).hasPrefix(#"{"file":"#))
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(target) == 0o640)

        // A link in the place of the file that the program names itself is replaced, and its target left alone.
        let planted = try folder.file("planted.ndjson", text)
        let victim = try folder.file("victim", "before")
        try FileManager.default.createSymbolicLink(
            atPath: planted + ".rejected.ndjson", withDestinationPath: victim)
        #expect(try await run([planted], app).status == 0)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "before")
        #expect(try mode(planted + ".rejected.ndjson") == 0o600)
        let full = try await run([file, "--rejected", "/dev/full"], app)
        #expect(full.status == 1 && full.error.contains("/dev/full can't be written: No space left"), "\(full.error)")
    }

    @Test func `a damaged file is reported, and only its lost part is missing`() async throws {
        let app = try await TestApp()
        let folder = try Folder()
        let zipped = try await ZipArchive.compress(
            Data((0..<30_000).map { Self.line($0) + "\n" }.joined().utf8), windowBits: 31)
        let cut = try folder.file("cut.ndjson.gz", zipped.prefix(zipped.count / 2))
        let other = try folder.file("other.ndjson", Self.line(1_000_000))
        let output = try await run([cut, "/nowhere.csv", other], app)
        #expect(output.status == 1)
        #expect(output.error.contains("\(cut): the compressed file is truncated"))
        #expect(output.error.contains("/nowhere.csv: it can't be read"))
        let stored = try #require(Int(try await app.value("select count(*) from afterpush.events") ?? ""))
        #expect(stored > 5_000 && stored < 30_000)
        #expect(output.output == "stored \(stored), duplicates 0, rejected 0\n")
        #expect(try await app.value("select count(*) from afterpush.events where device_id = 'd1000000'") == "1")
        let csv = try folder.file("twice.csv", "event_id,kind,kind\n")
        let twice = try await run([csv], app)
        #expect(twice.status == 1)
        #expect(twice.error.contains("names the column kind twice"))
    }

    @Test func `an import that was killed is completed by a second one`() async throws {
        let app = try await TestApp()
        let folder = try Folder()
        let count = 60_000
        let file = try folder.file("many.ndjson", (0..<count).map { Self.line($0) + "\n" }.joined())
        let process = try ChildProcess(
            Program.url, ["import", file, "--app", app.app.name, "--database-url", app.conninfo])
        try await app.waitUntil("something is stored") {
            try await app.value("select exists (select from afterpush.events)") == "t"
        }
        kill(process.processIdentifier, SIGKILL)
        while process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        let again = try await run([file], app)
        #expect(again.status == 0)
        let numbers = again.output.matches(of: /[0-9]+/).compactMap { Int($0.output) }
        #expect(numbers.count == 3 && numbers[0] + numbers[1] == count && numbers[2] == 0, "\(again.output)")
        #expect(try await app.value("select count(*) from afterpush.events") == "\(count)")
        #expect(try await app.value("select sum(events) from afterpush.batches") == "\(count)")
    }

    @Test func `many old events get their own partitions`() async throws {
        let app = try await TestApp()
        let old = (0..<500).map { Self.line($0).replacing("2026-11-10", with: "2024-02-1\($0 % 10)") + "\n" }.joined()
        let ancient = Self.line(900).replacing("2026-", with: "1999-")
        #expect(try await run(["-"], app, input: old + ancient).output == "stored 501, duplicates 0, rejected 0\n")
        #expect(try await app.value("select count(*) from afterpush.events_2024_02") == "500")
        #expect(try await app.value("select count(*) from afterpush.events_default") == "1")
    }

    /// The size of the file in megabytes: 16, or 200 in the long form of the faults.
    private static let megabytes = ProcessInfo.processInfo.environment["AFTERPUSH_FAULTS"] == "long" ? 200 : 16

    @Test(arguments: ["ndjson", "csv", "json"])
    func `memory use does not grow with the file`(form: String) async throws {
        let app = try await TestApp()
        let folder = try Folder()
        // All events are equal, because only reading is tested.
        let row =
            "00000000-0000-4000-8000-000000000001,opened,n,d,2026-11-10T10:00:00Z,\(String(repeating: "x", count: 400))\n"
        let line = Self.line(1).replacing("ios\"", with: "ios\",\"pad\":\"\(String(repeating: "x", count: 400))\"")
        let path = folder.path + "/large.\(form)"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let file = try #require(FileHandle(forWritingAtPath: path))
        if form == "csv" { file.write(Data("event_id,kind,notification_id,device_id,occurred_at,pad\n".utf8)) }
        if form == "json" { file.write(Data("[\(line)\n".utf8)) }
        let block = String(repeating: form == "csv" ? row : form == "json" ? ",\(line)\n" : line + "\n", count: 2_000)
        for _ in 0..<(Self.megabytes << 20) / block.utf8.count { file.write(Data(block.utf8)) }
        if form == "json" { file.write(Data("]".utf8)) }
        try file.close()
        let process = try ChildProcess(
            Program.url, ["import", path, "--app", app.app.name, "--database-url", app.conninfo])
        var peak = 0
        while process.isRunning {
            let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            peak = max(peak, line.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(process.terminationStatus == 0)
        #expect(peak < 160 * 1024, "\(peak) KiB")
        #expect(try await app.value("select count(*) from afterpush.events") == "1")
    }

    @Test func `wrong usage is an error with an explanation`() async throws {
        let app = try await TestApp()
        for arguments in [["--dialect", "xml", "x"], ["-", "-"], []] {
            #expect(try await run(arguments, app).status == 2)
        }
    }
}
