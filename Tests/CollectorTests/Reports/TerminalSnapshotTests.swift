import Foundation
import Reports
import Storage
import TestSupport
import Testing

/// Tests that each report looks in the terminal as it did before: at 60, 80, 120 and 200 columns.
///
/// The files in `Fixtures/Terminal` hold what it looks like. After a change that is meant, write them again with
/// `AFTERPUSH_WRITE_SNAPSHOTS=1`, and read the difference.
@Suite(.serialized) struct TerminalSnapshotTests {
    private static let widths = [60, 80, 120, 200]
    private static let folder = Program.root.appending(path: "Tests/CollectorTests/Fixtures/Terminal")

    /// Parameters of further pictures; each report also has one with its defaults.
    private static let variations: [String: [[String: String]]] = [
        "conversion": [["by": "campaign,variant"]],
        "heatmap": [["min_n": "5"]],
        "overview": [["from": "2026-03-06", "to": "2026-03-13"]],
        "response-time": [["curve": "true"]],
        "value": [["by": "campaign,variant"]],
    ]

    @Test(arguments: ReportService.builtInNames)
    func `a report looks in the terminal as it did before`(_ name: String) async throws {
        var pictures: [String] = []
        for parameters in [[:]] + (Self.variations[name] ?? []) {
            let result = try await Self.result(name, parameters)
            #expect(!result.rows.isEmpty, "the example has nothing for \(name)")
            for width in Self.widths {
                let table = try await Self.table(result, width)
                #expect(table.split(separator: "\n").allSatisfy { TerminalText.width(String($0)) <= width }, "\(table)")
                pictures.append(Self.heading(name, parameters, width) + table)
            }
        }
        let picture = pictures.joined(separator: "\n")
        let file = Self.folder.appending(path: name + ".txt")
        if ProcessInfo.processInfo.environment["AFTERPUSH_WRITE_SNAPSHOTS"] == "1" {
            try Data(picture.utf8).write(to: file)
        }
        let expected = try String(contentsOf: file, encoding: .utf8)
        #expect(picture == expected, "\(Self.difference(picture, expected))")
    }

    @Test func `there is a snapshot of each report and of nothing else`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.sorted() == ReportService.builtInNames.map { $0 + ".txt" })
    }

    @Test(arguments: widths)
    func `the program fits a report to its terminal`(_ width: Int) async throws {
        let fixture = try await TerminalFixture.shared.value
        let arguments = ["report", "experiment", "--app", "shop", "--database-url", fixture.app.conninfo]
        let command = "stty cols \(width); " + Program.shell([Program.url.path] + arguments)
        // It gives the command a terminal.
        let output = try await Program.run(
            ["--quiet", "--return", "--command", command, "/dev/null"], program: URL(filePath: "/usr/bin/script"))
        let shown = Self.steady(output.output.replacing("\r\n", with: "\n"))
        let expected = try await Self.table(try await Self.result("experiment", [:]), width)
        #expect(shown == expected + "\n", "\(shown)")
    }

    private static func heading(_ name: String, _ parameters: [String: String], _ width: Int) -> String {
        let settings = parameters.sorted { $0.key < $1.key }.map { " --set \($0.key)=\($0.value)" }.joined()
        return "$ stty cols \(width); afterpush report \(name)\(settings)\n"
    }

    private static func result(_ name: String, _ parameters: [String: String]) async throws -> ReportResult {
        let fixture = try await TerminalFixture.shared.value
        let service = ReportService(pool: fixture.app.database.reportReads)
        let definition = try service.catalogue.report(named: name)
        // The present time in health takes less room in a full minute.
        while [0, 59].contains(Calendar.current.component(.second, from: .now)) {
            try await Task.sleep(for: .milliseconds(100))
        }
        return try await service.run(
            definition, ReportParameters(validating: parameters, for: definition), app: fixture.app.app.id,
            name: fixture.app.app.name)
    }

    private static func table(_ result: ReportResult, _ width: Int) async throws -> String {
        var bytes: [UInt8] = []
        try await TableFormat(isTerminal: true, width: width).write(result) { bytes += $0 }
        return steady(String(decoding: bytes, as: UTF8.self))
    }

    /// Removes emphasis, and the times at which the test runs.
    private static func steady(_ text: String) -> String {
        let today = String(Date.now.formatted(.iso8601).prefix(10))
        return text.replacing(/\x1B\[[0-9;]*m/, with: "")
            .replacing(/as of [0-9T:Z-]+/, with: "as of 2026-03-10T00:00:00Z").replacing(today, with: "2026-03-10")
            .replacing(/2026-03-10 \d\d:\d\d:\d\d/, with: "2026-03-10 00:00:00")
    }

    private static func difference(_ found: String, _ expected: String) -> String {
        let pairs = zip(
            found.split(separator: "\n", omittingEmptySubsequences: false),
            expected.split(separator: "\n", omittingEmptySubsequences: false))
        guard let pair = pairs.first(where: { $0 != $1 }) else { return "one has more lines than the other" }
        return "\(pair.0)\ninstead of\n\(pair.1)"
    }
}
