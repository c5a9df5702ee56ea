import Events
import Foundation
import Testing

@testable import Imports

/// Tests how CSV rows become events.
@Suite struct CSVReaderTests {
    private func events(_ text: String, raw: Bool = false) throws -> [NSDictionary] {
        let found = try Found(text, as: .csv, raw: raw)
        #expect(found.failure == nil)
        return try found.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
        }
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `quoted and unquoted cells and all line ends are read`(end: String) throws {
        let text = ["\u{FEFF}event_id,name,x", "1,\"a,\"\"b\"\"\",", "", "2,\"two\(end)lines\",y"].joined(
            separator: end)
        #expect(
            try events(text) == [
                ["event_id": "1", "name": "a,\"b\""], ["event_id": "2", "name": "two\(end)lines", "x": "y"],
            ])
    }

    @Test func `numbers, Booleans and properties are typed, and everything else is text`() throws {
        let text = #"""
            event_id,value,category_version,verified,properties,mine
            1,-1.50,2,true,"{""a"": [1, ""}""]}",7
            2,1e3,x,maybe,"{""a"":1} ,""kind"":""sent""",007
            3,01,,f,[],
            """#
        #expect(
            try events(text) == [
                [
                    "event_id": "1", "value": -1.5, "category_version": 2, "verified": true,
                    "properties": ["a": [1, "}"] as [Any]], "mine": "7",
                ],
                [
                    "event_id": "2", "value": 1000, "category_version": "x", "verified": "maybe",
                    "properties": "{\"a\":1} ,\"kind\":\"sent\"", "mine": "007",
                ],
                ["event_id": "3", "value": "01", "verified": false, "properties": "[]"],
            ])
    }

    @Test func `apostrophes that an export added are removed, and others are kept`() throws {
        let text = "event_id,a,b,c,d\n1,'=1+1,''tis,'tis,'\n"
        #expect(try events(text) == [["event_id": "1", "a": "=1+1", "b": "'tis", "c": "'tis", "d": "'"]])
        #expect(
            try events(text, raw: true) == [["event_id": "1", "a": "'=1+1", "b": "''tis", "c": "'tis", "d": "'"]])
    }

    @Test func `hostile text is read unchanged`() throws {
        let texts = [
            "\u{0}", "\u{1}", "\\", "\\\"", "\"", "\u{7F}", "<script>", "🎉", "مرحبا", "a\tb", "\"\"", "{}",
            "'; drop table",
        ]
        for text in texts {
            let cell = "\"" + text.replacing("\"", with: "\"\"") + "\""
            #expect(try events("event_id,name\n1,\(cell)\n", raw: true) == [["event_id": "1", "name": text]])
        }
    }

    @Test(arguments: [";", "\t"])
    func `other separators are detected by the header`(separator: String) throws {
        let text = "kind,event_id\nsent,1\n".replacing(",", with: separator)
        #expect(try events(text) == [["kind": "sent", "event_id": "1"]])
    }

    @Test func `a row that does not fit the header is rejected with its line`() throws {
        let found = try Found("event_id,kind\n1\n\"2\n2\",x\n3,sent,x\n4,\"sent\"x\n5,sent\n", as: .csv)
        #expect(found.refusals.map(\.line) == [2, 5, 6])
        #expect(found.refusals.map(\.code) == [.fieldInvalid, .fieldInvalid, .textInvalid])
        #expect(found.lines.count == 2)
        #expect(found.places == [3, 7])
    }

    @Test func `an unclosed quote rejects its line`() throws {
        let rows = (1...20_000).map { "\($0),sent\n" }.joined()
        let found = try Found("event_id,kind\n\"x,sent\n" + rows, as: .csv)
        #expect(found.refusals.map(\.line) == [2])
        #expect(found.lines.count == 20_000)
        #expect(found.places.first == 3)
        #expect(found.places.last == 20_002)
    }

    @Test func `a repeated header is skipped, and one with a repeated column or without event_id is reported`() throws {
        let again = try Found("event_id,kind\n1,sent\nevent_id,kind\n2,sent\n", as: .csv)
        #expect(again.lines.count == 2)
        #expect(again.places == [2, 4])
        #expect(try Found("event_id,kind,kind\n1,a,b\n", as: .csv).failure == .header("names the column kind twice"))
        #expect(try Found("id,kind\n1,a\n", as: .csv).failure == .header("has no column event_id"))
        #expect(try Found("", as: .csv).failure == nil)
        #expect(try Found("event_id,kind\n", as: .csv).lines.isEmpty)
    }
}
