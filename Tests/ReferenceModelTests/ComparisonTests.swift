import Foundation
import ReferenceModel
import Testing

@Suite struct ComparisonTests {
    private let model: [ModelRow]

    init() throws {
        let confirmed = event(.delivered, at: clock(10)) { $0.campaign = "spring" }
        model = try actions([confirmed, tap("yes", at: clock(10, 1, 40))])
    }

    /// The model's own rows, encoded as JSON, with one cell changed.
    private func compared(_ column: String, _ value: ModelValue?) throws -> String? {
        var cells = Dictionary(uniqueKeysWithValues: model[0].cells.map { ($0.name, $0.value) })
        cells[column] = value
        let served = try ServedReport(json: JSONEncoder().encode(["rows": [cells]]))
        return difference(model: model, served: served)
    }

    @Test func `a report equals itself`() throws {
        #expect(try compared("suppressed", .bool(false)) == nil)
    }

    @Test func `a difference names row, column and both values`() throws {
        let expected = """
            row 0 {category_id: null, campaign_id: "spring", variant: null, action_id: "yes", title: null, \
            declared: false} column acted: model 1, served 2
            """
        #expect(try compared("acted", .int(2)) == expected)
    }

    @Test func `the median may differ by 5 % at most`() throws {
        #expect(try compared("p50_seconds", .double(104.9)) == nil)
        #expect(try compared("p50_seconds", .int(95)) == nil)
        #expect(try compared("p50_seconds", .double(105.1)) != nil)
        #expect(try compared("p50_seconds", .null) != nil)
    }

    @Test func `values of different types are not equal`() throws {
        #expect(try compared("suppressed", .int(0)) != nil)
        #expect(try compared("acted", .bool(true)) != nil)
        #expect(try compared("variant", .text("")) != nil)
        #expect(try compared("acted", .text("1")) != nil)
    }

    @Test func `missing and additional columns and rows are differences`() throws {
        #expect(try compared("acted", nil)?.contains("not served") == true)
        #expect(try compared("extra", .int(1))?.contains("only served") == true)
        #expect(difference(model: model, served: ServedReport(rows: []))?.contains("model 1, served 0") == true)
        #expect(difference(model: [], served: ServedReport(rows: [["a": .null]])) != nil)
    }

    @Test func `text is compared byte by byte`() throws {
        #expect(ModelValue.text("\u{E9}") != .text("e\u{301}"))
    }

    @Test func `the order of columns must be that of the document, except for ignored columns`() throws {
        let row = Dictionary(uniqueKeysWithValues: model[0].cells.map { ($0.name, $0.value) })
        let right = ServedReport(columns: ["category_version"] + model[0].columns, rows: [row])
        #expect(difference(model: model, served: right, ignoring: ["category_version"]) == nil)
        #expect(difference(model: model, served: right) != nil)
        let wrong = ServedReport(columns: model[0].columns.reversed(), rows: [row])
        #expect(difference(model: model, served: wrong) != nil)
    }

    @Test func `numbers may differ by 1e-9`() throws {
        let model = try rows([event(.sent)])
        func served(_ rate: Double) -> ServedReport {
            var cells = Dictionary(uniqueKeysWithValues: model[0].cells.map { ($0.name, $0.value) })
            cells["open_rate"] = .double(rate)
            return ServedReport(rows: [cells])
        }
        #expect(difference(model: model, served: served(9e-10)) == nil)
        #expect(difference(model: model, served: served(2e-9)) != nil)
    }
}
