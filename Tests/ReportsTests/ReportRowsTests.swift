import Testing

@testable import Reports

@Suite struct ReportRowsTests {
    static let rows: [[String?]] = [
        [], [nil], [""], [nil, nil, ""], ["", nil, "a"], ["漢字", nil, "", "\u{0}", nil], ["a", "b", "c"], [nil, "x"],
    ]

    @Test(arguments: rows) func `a row returns the values it was made of`(values: [String?]) {
        let rows = ReportRows([["before"], values, [nil, "after"]])
        #expect(Array(rows[1]) == values)
        var read: [String?] = []
        rows.forEachValue(ofRow: 1) { place, value in
            #expect(place == read.count)
            read.append(value.map { String(decoding: $0, as: UTF8.self) })
        }
        #expect(read == values)
    }

    @Test func `rows are equal if all their values are equal`() {
        for (i, one) in Self.rows.enumerated() {
            for (j, other) in Self.rows.enumerated() {
                #expect((ReportRows([one]) == ReportRows([other])) == (i == j))
            }
        }
        #expect(ReportRows([["ab", "c"]]) != ReportRows([["a", "bc"]]))
        #expect(ReportRows([["a", "b"]]) != ReportRows([["a"], ["b"]]))
    }

    @Test func `results that differ only in value boundaries or nulls have different fingerprints`()
        throws
    {
        let rows: [[String?]] = [["ab", "c"], ["a", "bc"], ["abc", ""], ["abc", nil], [nil, "abc"], ["", "abc"]]
        let prints = try rows.map { try Sample.result(["a text", "b text"], rows: [$0]).fingerprint }
        #expect(Set(prints).count == rows.count)
        #expect(try Sample.result(["a text", "b text"], rows: [rows[0]]).fingerprint == prints[0])
    }

    @Test(arguments: [[], [["1"]]]) func `a truncated result and a complete one have different fingerprints`(
        rows: [[String?]]
    ) throws {
        let definition = try Sample.definition("-- title: A sample\n-- column: a text\nselect 1")
        let prints = try [[], [["2"]]].map { more in
            try ReportResult(
                of: definition, parameters: ReportParameters(validating: [:], for: definition), asOf: "x",
                columns: ["a"], rows: ReportRows(rows + more), rowLimit: rows.count
            ).fingerprint
        }
        #expect(prints[0] != prints[1])
    }

    @Test(arguments: [0, 11, 12, 35, 36, 37, 47, 48, 1_000])
    func `rows over the limit on bytes are omitted, and the result says so`(_ limit: Int) throws {
        let definition = try Sample.definition("-- title: A sample\n-- column: a text\nselect 1")
        // A row takes four bytes for its end, four for that of its value, and the value's own.
        let rows = [["1234"], [nil], ["12345678"], ["1234"]]
        let kept = [12, 20, 36, 48].prefix { $0 <= limit }.count
        let result = try ReportResult(
            of: definition, parameters: ReportParameters(validating: [:], for: definition), asOf: "x",
            columns: ["a"], rows: ReportRows(rows), byteLimit: limit)
        #expect(result.rows == ReportRows(rows.prefix(kept)))
        #expect(result.rows.size <= limit)
        #expect(result.isTruncated == (kept < rows.count))
    }

    @Test func `an integer of 64 bits is decoded, and a larger one is not`() throws {
        for value in ["9223372036854775807", "-9223372036854775808", "999999999999999999", "-0", "0"] {
            #expect(try Sample.result(["a integer"], rows: [[value]]).rows == [[value]])
        }
        for value in ["9223372036854775808", "-9223372036854775809", "", "-", "--1", "1-"] {
            #expect(throws: ReportError.self) { try Sample.result(["a integer"], rows: [[value]]) }
        }
    }
}
