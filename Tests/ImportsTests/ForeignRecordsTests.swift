import AfterpushWire
import Dialects
import Events
import Foundation
import Testing

@testable import Imports

/// Tests how files of other systems are recognized, and how their records become events.
@Suite struct ForeignRecordsTests {
    private static let native = #"{"event_id":"1","kind":"sent"}"#
    private static let tap =
        #"{"type":"track","event":"Push Opened","messageId":"m1","userId":"u1","timestamp":"2026-06-01T10:00:00Z","#
        + #""properties":{"notification_id":"n1"}}"#
    private static let start =
        #"{"event_type":"_session.start","event_timestamp":1780308000250,"arrival_timestamp":1780308000300,"#
        + #""client":{"client_id":"e1"}}"#
    private static let header =
        "event_timestamp,project_number,message_id,instance_id,sdk_platform,event,analytics_label"
    private static let row = "2026-06-01 10:00:00 UTC,7,m1,i1,IOS,MESSAGE_ACCEPTED,\"a, \"\"b\"\"\""

    private func family(_ text: String, name: String = "-") -> DialectFamily? {
        let bytes = Array(text.utf8)
        return FilePreview.dialect(of: bytes, FileFormat.guess(name: name, bytes))?.family
    }

    private func read(_ text: String, as dialect: any RecordDialect.Type, format: FileFormat) throws -> ForeignRecords {
        let file = try TemporaryFile(text)
        let source = try ByteSource(path: file.path)
        var reader = format.reader(raw: false, of: dialect)
        let chunk = try #require(try reader.next(source))
        let context = ForeignContext(
            appID: 1, settings: DialectSettings(receivedAt: Timestamp(microseconds: 0)), eventIDKey: EventIDKey([1]))
        return ForeignRecords(chunk, of: dialect, path: file.path, context)
    }

    private func kinds(_ records: ForeignRecords) throws -> [String] {
        try records.chunk.text.split(separator: UInt8(ascii: "\n")).map { line in
            let event = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
            return event?["kind"] as? String ?? ""
        }
    }

    @Test func `the content of a file says which system wrote it`() {
        #expect(family(Self.tap + "\n") == .segment)
        #expect(family(Self.tap, name: "a.json") == .segment)
        #expect(family("[\(Self.tap)]", name: "a.json") == .segment)
        #expect(family("not JSON\n{\"open\":\n\(Self.tap)\n", name: "a.ndjson") == .segment)
        #expect(family(Self.start + Self.start, name: "a.ndjson") == .pinpoint)
        #expect(family(Self.start + Self.start) == .pinpoint)
        #expect(family("\(Self.header)\n\(Self.row)\n") == .fcm)
        #expect(family(Self.header.replacing(",", with: ";"), name: "a.csv") == .fcm)
        #expect(family(Self.header.replacing(",", with: "\t") + "\n") == .fcm)
    }

    @Test func `a file with a native record is native, whatever else is in it`() {
        #expect(family(Self.native) == nil)
        #expect(family("\(Self.native)\n\(Self.tap)\n") == nil)
        #expect(family("\(Self.tap)\n\(Self.native)\n") == nil)
        #expect(family("\(Self.tap)\n{\"kind\":\"opened\"}\n") == nil)
        #expect(family("{\"events\":[\(Self.native),\(Self.tap)]}") == nil)
        #expect(family("event_id,\(Self.header)\n1,\(Self.row)\n") == nil)
        #expect(family("event_id;kind\n") == nil && family("") == nil && family("x") == nil && family("{") == nil)
    }

    @Test func `records become events on the lines where they began`() throws {
        let text = "\(Self.tap)\n\n{\"type\":\"page\",\"messageId\":\"2\"}\n\(Self.tap)\n"
        let records = try read(text, as: SegmentRecords.self, format: .ndjson)
        #expect(try kinds(records) == ["opened", "opened"])
        #expect((0..<2).map { records.chunk.line($0) } == [1, 4])
        #expect(records.record(1) == Self.tap)
        #expect(records.ignored.lines() == ["1 page: other_type"])
    }

    @Test(arguments: [FileFormat.ndjson, .json])
    func `objects without line ends between them are read`(format: FileFormat) throws {
        let stop = Self.start.replacing("start", with: "stop")
        let text = Self.start + Self.start.replacing("e1", with: "e2") + " " + stop + "\n" + Self.start
        let records = try read(text, as: PinpointRecords.self, format: format)
        #expect(try kinds(records) == ["app_opened", "app_opened", "app_opened"])
        #expect((0..<3).map { records.chunk.line($0) } == [1, 1, 2])
        #expect(records.ignored.lines() == ["1 _session.stop: unknown_name"])
        #expect(records.chunk.refusals.isEmpty)
    }

    @Test func `an event without a time gets none, so that the next run doesn't give it another`() throws {
        let timeless = Self.tap.replacing(#""timestamp":"2026-06-01T10:00:00Z","#, with: "")
        let records = try read("\(timeless)\n\(Self.tap)\n", as: SegmentRecords.self, format: .ndjson)
        let lines = try #require(String(bytes: records.chunk.text, encoding: .utf8)).split(separator: "\n")
        #expect(lines.map { $0.contains("occurred_at") } == [false, true])
    }

    @Test func `a row of CSV is a record with texts`() throws {
        let quoted = Self.row.replacing("m1,i1", with: "\"m\n1\",'=i1")
        let records = try read(
            "\(Self.header)\n\(Self.row)\n\(quoted)\n\(Self.header)\nx,y\n", as: FCMRecords.self, format: .csv)
        #expect(try kinds(records) == ["sent", "sent"])
        #expect((0..<2).map { records.chunk.line($0) } == [2, 3])
        let event = try #require(String(bytes: records.chunk.text, encoding: .utf8))
        #expect(event.contains(#""campaign_id":"a, \"b\"""#))
        // A cell is taken as it is, because no export of Afterpush changed it.
        #expect(event.contains(#""device_id":"'=i1""#))
        #expect(records.chunk.refusals.map(\.line) == [6])
    }

    @Test func `a CSV file without the columns of its dialect is reported`() throws {
        let file = try TemporaryFile("a,b\n1,2\n")
        let cases: [(any RecordDialect.Type, String)] = [(FCMRecords.self, "fcm"), (SegmentRecords.self, "segment")]
        for (dialect, name) in cases {
            var reader = FileFormat.csv.reader(raw: false, of: dialect)
            #expect(throws: ImportError.header("doesn't have the columns of \(name)")) {
                _ = try reader.next(ByteSource(path: file.path))
            }
        }
    }

    @Test func `what can't be read is refused with its text`() throws {
        let text = "\(Self.tap)\nno JSON\n[1]\n{\"cut\":\n{} x\n\(Self.tap)\n"
        let records = try read(text, as: SegmentRecords.self, format: .ndjson)
        #expect(try kinds(records) == ["opened", "opened"])
        #expect(records.chunk.refusals.map(\.line) == [2, 3, 4, 5])
        #expect(records.chunk.refusals.map(\.record) == ["no JSON", "[1]", "{\"cut\":", "{} x"])
        #expect(records.chunk.refusals.allSatisfy { $0.code == .invalidJSONType })
    }

    @Test func `ignored events are counted by name and reason, and their names are bounded`() throws {
        var ignored = IgnoredEvents()
        for number in 0..<2_000 {
            ignored.insert("name \(number)", .unknownName)
            ignored.insert("often", .unknownName)
        }
        ignored.insert("often", .noDevice)
        ignored.insert(String(repeating: "x", count: 5_000), .otherType)
        #expect(ignored.total == 4_002)
        #expect(ignored.lines(limit: 1) == ["2000 often: unknown_name", "2002 others"])
        #expect(ignored.lines().count == 21)
        var both = ignored
        both += ignored
        #expect(both.total == 8_004 && both.lines(limit: 1) == ["4000 often: unknown_name", "4004 others"])
        var short = IgnoredEvents()
        short.insert(String(repeating: "x", count: 5_000), .otherType)
        short.insert("", .malformed)
        #expect(short.lines() == ["1 without a name: malformed", "1 \(String(repeating: "x", count: 64)): other_type"])
        #expect(IgnoredEvents().lines().isEmpty)
    }
}
