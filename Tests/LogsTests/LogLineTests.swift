import Foundation
import Logging
import Logs
import Synchronization
import Testing

@Suite struct LogLineTests {
    private static let time = Date(timeIntervalSince1970: 1_795_168_800.125)

    private func line(_ message: String, _ metadata: Logger.Metadata = [:]) -> LogLine {
        LogLine(time: Self.time, level: .info, label: "afterpush", message: message, metadata: metadata)
    }

    @Test func `the text format is short, aligned and on one line`() {
        let line = line("listening", ["port": "8080", "error": "PostgreSQL: connection refused", "empty": ""])
        #expect(
            LogFormat.text.text(line)
                == "2026-11-20 10:00:00.125 info     listening  empty=\"\" "
                + "error=\"PostgreSQL: connection refused\" port=8080\n")
        #expect(LogFormat.text.text(line, colored: true).contains("\u{1B}[32minfo    \u{1B}[0m listening"))
    }

    @Test func `the JSON format has time, level, message, label and flat metadata`() throws {
        let line = line(
            "hello",
            [
                "request_id": "7", "n": .stringConvertible(12), "a": ["b": ["c": "1"], "d": .array(["x", "y"])],
                "level": "mine",
            ])
        let text = LogFormat.json.text(line)
        #expect(
            text.hasPrefix(#"{"ts":"2026-11-20T10:00:00.125Z","level":"info","message":"hello","label":"afterpush","#))
        let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["n"] as? Int == 12)
        #expect(
            object.compactMapValues { $0 as? String } == [
                "ts": "2026-11-20T10:00:00.125Z", "level": "info", "message": "hello", "label": "afterpush",
                "request_id": "7", "a.b.c": "1", "a.d.0": "x", "a.d.1": "y", "_level": "mine",
            ])
    }

    @Test(arguments: LogFormat.allCases)
    func `no text can end a line, forge another line, or control the terminal`(format: LogFormat) throws {
        let hostile = "a\n2026 error forged\r\u{1B}[2J\u{0}\u{7F}\u{85}\u{2028}\u{202E}\u{9B}\"\\b=c\r\nd"
        let text = format.text(line(hostile, [hostile: "\(hostile)"]))
        #expect(text.hasSuffix("\n"))
        let inside = text.unicodeScalars.dropLast()
        #expect(!inside.contains { $0.properties.generalCategory == .control || $0 == "\u{2028}" }, "\(text)")
        if format == .json {
            let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String])
            #expect(object["message"] == hostile)
            #expect(object[hostile] == hostile)
        } else {
            #expect(!text.unicodeScalars.contains("\u{202E}"))
        }
    }

    @Test func `a repeated failure is logged once, and later with the number of suppressed lines`() {
        var filter = RepeatFilter(pause: .seconds(10))
        let start = ContinuousClock.now
        #expect(filter.add("away", at: start) == .write(suppressed: 0))
        for second in 1...999 { #expect(filter.add("away", at: start + .milliseconds(second)) == .suppress) }
        #expect(filter.add("another cause", at: start + .seconds(1)) == .write(suppressed: 0))
        #expect(filter.add("away", at: start + .seconds(10)) == .write(suppressed: 999))
        #expect(filter.add("away", at: start + .seconds(20)) == .write(suppressed: 0))
    }

    @Test func `the filter remembers a limited number of lines`() {
        var filter = RepeatFilter(pause: .seconds(10), capacity: 3)
        let start = ContinuousClock.now
        for text in ["a", "b", "c", "d"] { #expect(filter.add(text, at: start) == .write(suppressed: 0)) }
        #expect(filter.add("d", at: start) == .suppress)
        #expect(filter.add("a", at: start) == .write(suppressed: 0), "forgotten")
    }

    @Test func `all loggers share the filter, and it suppresses only warnings`() {
        let lines = Box()
        let output = LogOutput(.text) { lines.add($0) }
        for number in 0..<5 {
            var logger = Logger(label: "test", factory: { LineLogHandler(label: $0, output: output) })
            logger[metadataKey: "request_id"] = "\(number)"
            logger.warning("failed", metadata: ["error": "same"])
            logger.info("fine")
            logger.debug("below the level")
        }
        #expect(lines.all.count { $0.contains("failed") } == 1)
        #expect(lines.all.count { $0.contains("fine") } == 5)
        #expect(lines.all.count == 6)
        #expect(lines.all.first?.contains("error=same request_id=0") == true)
    }

    private final class Box: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }
}
