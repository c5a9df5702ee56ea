import Foundation
import Testing

@testable import Imports

/// Tests how files of each format are divided into records.
@Suite struct FileFormatTests {
    private static let one = #"{"event_id":"1","kind":"sent"}"#
    private static let two = #"{"event_id":"2","kind":"opened"}"#

    @Test func `lines are returned with their numbers, whatever their line ends`() throws {
        let found = try Found("\u{FEFF}\(Self.one)\r\n\n\(Self.two)", as: .ndjson)
        #expect(found.lines.map { $0.trimmingCharacters(in: .newlines) } == [Self.one, "", Self.two])
        #expect(found.places == [1, 2, 3])
        #expect(try Found("", as: .ndjson).lines.isEmpty)
        #expect(try Found("\u{FEFF}", as: .ndjson).lines.isEmpty)
    }

    @Test func `a line over the limit is rejected without using memory`() throws {
        let long = String(repeating: "x", count: 3 << 20)
        let found = try Found("\(Self.one)\n\(long)\n\(Self.two)\n", as: .ndjson)
        #expect(found.refusals == [.tooLong(line: 2)] || found.lines.count == 3)
        #expect(found.lines.contains(Self.two))
        #expect(found.places.last == 3)
    }

    @Test func `the lines of many chunks are returned once and in order`() throws {
        let lines = (1...40_000).map { #"{"n":\#($0),"pad":"\#(String(repeating: "p", count: $0 % 200))"}"# }
        let found = try Found(lines.joined(separator: "\n") + "\n", as: .ndjson)
        #expect(found.lines == lines)
        #expect(found.places == Array(1...40_000))
    }

    @Test(arguments: [
        ("", "x\n", FileFormat.ndjson), ("", "\n", .ndjson), ("", "{}", .json), ("event_id\n", "1\n", .csv),
        ("event_id\n", "1,2\n", .csv), ("event_id\n", "\"\"x\n", .csv),
    ])
    func `however short records are, a chunk has at most 10,000, and none is lost`(
        head: String, record: String, format: FileFormat
    ) throws {
        let file = try TemporaryFile(head + String(repeating: record, count: 25_000))
        let source = try ByteSource(path: file.path)
        var reader = format.reader(raw: false)
        var records = 0
        while let chunk = try reader.next(source) {
            let count = chunk.text.count { $0 == UInt8(ascii: "\n") } + chunk.refusals.count
            #expect(count <= 10_000)
            records += count
        }
        #expect(records == 25_000)
    }

    @Test(arguments: [
        ("[ONE,TWO]", [1, 1]), ("[\n ONE ,\n\nTWO\n]\n", [2, 4]), ("ONE\nTWO", [1, 2]), ("ONETWO", [1, 1]),
        (#"{"sent_at":"2026-11-01T00:00:00Z","events":[ONE,\#nTWO], "x": {"events": [1]}}"#, [1, 2]),
        ("[ONE]\n[TWO]", [1, 2]), (#"{"a":{"events":[1]},"events" : [ONE, TWO]}"#, [1, 1]),
    ])
    func `JSON can contain events, arrays and requests`(text: String, places: [Int]) throws {
        let text = text.replacing("ONE", with: Self.one).replacing("TWO", with: Self.two)
        let found = try Found(text, as: .json)
        #expect(found.failure == nil)
        #expect(found.lines == [Self.one, Self.two])
        #expect(found.places == places)
    }

    @Test func `an object that only looks like a request is an event`() throws {
        for text in [#"{"event":[1]}"#, #"{"x":"events","y":[1]}"#, #"{"a":["events",[1]]}"#, #"{"events":{"a":[1]}}"#]
        {
            #expect(try Found(text, as: .json).lines == [text])
        }
        #expect(try Found(#"{"events":[]}"#, as: .json).lines.isEmpty)
    }

    @Test func `an array element that is not an object is a record of its own, and brackets in strings are text`()
        throws
    {
        let found = try Found(#"[1, "a]\"{,", {"a":"]}\\"}, null, [1,{}], }, word]"#, as: .json)
        #expect(found.lines == ["1", #""a]\"{,""#, #"{"a":"]}\\"}"#, "null", "[1,{}]", "}", "word"])
        #expect(found.failure == nil)
    }

    @Test func `line feeds within an event are removed and never become part of a text`() throws {
        let found = try Found("[{\n\"a\":\n1}, {\"b\":\"x\ny\"}]", as: .json)
        #expect(found.lines == ["{ \"a\": 1}", "{\"b\":\"x\u{1F}y\"}"])
    }

    @Test(arguments: ["[{\"a\":1},", "{\"a\":", "[{\"a\":\"x", "{\"events\":[{\"a\":1}]"])
    func `truncated JSON is reported, and complete records before it are returned`(text: String) throws {
        let found = try Found(text, as: .json)
        #expect(found.failure == .malformed(what: "the file ends inside an array or object", line: 1))
        #expect(found.lines.count == (text.contains(":1}") ? 1 : 0))
    }

    @Test func `text that is not JSON is reported with its line`() throws {
        let found = try Found("[{\"a\":1}]\n\nnonsense", as: .json)
        #expect(found.failure == .malformed(what: "expected an object or array", line: 3))
        #expect(found.lines == ["{\"a\":1}"])
    }

    @Test(arguments: [
        ("a.csv", "", FileFormat.csv), ("a.CSV.gz", "x", .csv), ("a.jsonl", "[", .ndjson),
        ("a.ndjson.gz", "[", .ndjson),
        ("a.json", "[1]", .json), ("a.json", "{\"a\":1}\n{\"a\":2}\n", .ndjson), ("a.json", "{\n\"a\":1}", .json),
        ("a.json", "{\"events\":[{}]}", .json), ("a.json.gz", "no JSON", .json),
        ("-", " \n{\"a\":{\"b\":1}}", .ndjson), ("-", "event_id,kind\n", .csv),
        ("-", "", .ndjson), ("data", "[", .json),
    ])
    func `the format of a file is detected by its name, otherwise by its beginning`(
        name: String, text: String, format: FileFormat
    ) {
        #expect(FileFormat.guess(name: name, Array(text.utf8)) == format)
    }
}
