import Foundation
import Reports
import Testing

@Suite struct JSONFormatTests {
    @Test func `a document has its keys in order and typed values`() async throws {
        let result = try Sample.result(
            ["name text  who", "count integer deliveries  how many", "rate number ratio", "open boolean", "at time"],
            rows: [["1", "9007199254740993", "0.1", "f", "2026-11-21 10:00:00+00"], [nil, nil, "NaN", nil, nil]])
        let json = try await JSONFormat(definitions: [#"{"name":"open_rate"}"#]).text(of: result)
        #expect(
            json == #"{"report":"sample","as_of":"2026-11-21T10:00:00Z","parameters":{},"#
                + #""definitions":[{"name":"open_rate"}],"columns":["#
                + #"{"name":"name","type":"text","unit":null,"description":"who"},"#
                + #"{"name":"count","type":"integer","unit":"deliveries","description":"how many"},"#
                + #"{"name":"rate","type":"number","unit":"ratio","description":""},"#
                + #"{"name":"open","type":"boolean","unit":null,"description":""},"#
                + #"{"name":"at","type":"time","unit":null,"description":""}],"rows":["#
                + #"{"name":"1","count":9007199254740993,"rate":0.1,"open":false,"at":"2026-11-21T10:00:00Z"},"#
                + #"{"name":null,"count":null,"rate":null,"open":null,"at":null}]}"#)
    }

    @Test func `the effective parameters are typed, and null if they are not set`() async throws {
        let definition = try Sample.definition()
        let parameters = try ReportParameters(
            validating: ["from": "2026-11-01", "verified": "true", "campaign": "a\"b", "by": "campaign,day"],
            for: definition)
        let result = try ReportResult(
            of: definition, parameters: parameters, asOf: "x", columns: [], rows: ReportRows())
        let json = try await JSONFormat().text(of: result)
        #expect(
            json.contains(
                #""parameters":{"from":"2026-11-01T00:00:00Z","to":null,"tz":"UTC","campaign":"a\"b","verified":true,"#
                    + #""base":"auto","min_n":30,"window":"12h","by":"campaign,day"}"#))
    }

    @Test func `any text survives in a document that a parser accepts`() async throws {
        let result = try Sample.result(["b text"], rows: Sample.hostileTexts.map { [$0] })
        let json = try await JSONFormat().text(of: result)
        struct Document: Decodable { let rows: [[String: String]] }
        let read = try JSONDecoder().decode(Document.self, from: Data(json.utf8)).rows
        #expect(read.map { Array(($0["b"] ?? "?").utf8) } == Sample.hostileTexts.map { Array($0.utf8) })
    }

    @Test func `an empty result is an empty array, and a truncated result is marked`() async throws {
        let columns = ["a integer"]
        #expect(try await JSONFormat().text(of: Sample.result(columns, rows: [])).hasSuffix(#""rows":[]}"#))
        let cut = try Sample.result(columns, rows: [["1"]], isTruncated: true)
        #expect(try await JSONFormat().text(of: cut).hasSuffix(#""rows":[{"a":1}],"truncated":true}"#))
    }

    @Test func `NDJSON has one object per line, whatever the text`() async throws {
        let result = try Sample.result(["b text"], rows: Sample.hostileTexts.map { [$0] })
        let lines = try await NDJSONFormat().text(of: result).utf8.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == Sample.hostileTexts.count)
    }
}
