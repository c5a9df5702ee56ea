import Reports
import Testing

@Suite struct ReportResultTests {
    @Test func `columns have the statement's order and the head's descriptions`() throws {
        let definition = try Sample.definition()
        let result = try ReportResult(
            of: definition, parameters: ReportParameters(validating: [:], for: definition), asOf: "x",
            columns: ["open_rate", "campaign_id"], rows: ReportRows([["0.5", nil]]))
        #expect(result.columns == [definition.columns[3], definition.columns[0]])
    }

    @Test(arguments: [["color"], ["opened", "opened"]])
    func `an undeclared or repeated column is an error that names it`(_ columns: [String]) throws {
        let definition = try Sample.definition()
        let parameters = try ReportParameters(validating: [:], for: definition)
        let error = #expect(throws: ReportError.self) {
            try ReportResult(of: definition, parameters: parameters, asOf: "x", columns: columns, rows: ReportRows())
        }
        #expect(error?.description.contains("the column \(columns.last ?? "")") == true)
    }

    static let canonical: [(String, String, String?)] = [
        ("a boolean", "t", "true"), ("a boolean", "f", "false"), ("a boolean", "true", "true"),
        ("a number", "NaN", nil),
        ("a number", "Infinity", nil), ("a number", "-Infinity", nil), ("a number", "1e-05", "1e-05"),
        ("a number", "-0.25", "-0.25"), ("a integer", "9007199254740993", "9007199254740993"), ("a text", "t", "t"),
        ("a time", "2026-11-21 10:00:00+00", "2026-11-21T10:00:00Z"), ("a time", "infinity", nil),
        ("a time", "2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"), ("a date", "2026-11-21", "2026-11-21"),
        ("a time", "2026-11-21 10:00:00.25+00", "2026-11-21T10:00:00.25Z"), ("a text", "NaN", "NaN"),
        ("a time", "0001-12-31 23:06:32+00 BC", "0000-12-31T23:06:32Z"), ("a date", "0001-12-31 BC", "0000-12-31"),
        ("a time", "0001-01-01 00:00:00+00", "0001-01-01T00:00:00Z"), ("a text", "0001-12-31 BC", "0001-12-31 BC"),
    ]

    @Test(arguments: canonical) func `values are normalized`(_ column: String, _ given: String, _ value: String?) throws
    {
        #expect(try Sample.result([column], rows: [[given]]).rows == [[value]])
    }

    @Test(arguments: [
        ("a integer", "1.0"), ("a integer", "x"), ("a integer", "+1"), ("a number", "1,5"), ("a number", "=1"),
        ("a boolean", "yes"), ("a time", "2026-11-21 10:00:00"), ("a time", "2026-11-21 10:00:00+01"), ("a date", "=1"),
        ("a date", "0044-03-15 BC"), ("a date", " BC"), ("a time", "0001-12-31 BC"), ("a date", "0001-12-31 BC BC"),
    ])
    func `a value that does not fit its type is an error that does not contain the value`(
        _ column: String, _ value: String
    ) {
        let error = #expect(throws: ReportError.self) { try Sample.result([column], rows: [[value]]) }
        #expect(error?.description.contains("the column a has") == true)
        #expect(error?.description.contains(value) == false)
    }

    @Test(arguments: [["x"], ["x", "y", "z"]]) func `a row with too few or too many values is an error`(_ row: [String])
    {
        #expect(throws: ReportError.self) { try Sample.result(["a text", "b text"], rows: [row]) }
    }

    @Test(arguments: 0...4) func `rows over the limit are omitted, and the result says so`(_ limit: Int) throws {
        let definition = try Sample.definition("-- title: A sample\n-- column: a text\nselect 1")
        let result = try ReportResult(
            of: definition, parameters: ReportParameters(validating: [:], for: definition), asOf: "x", columns: ["a"],
            rows: ReportRows([["x"], ["y"], ["z"]]), rowLimit: limit)
        #expect(result.rows == ReportRows([["x"], ["y"], ["z"]].prefix(limit)))
        #expect(result.isTruncated == (limit < 3))
    }
}
