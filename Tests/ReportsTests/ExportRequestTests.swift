import Foundation
import Testing

@testable import Reports

/// Tests the parameters of an export and where it resumes.
@Suite struct ExportRequestTests {
    private static let row =
        "17,5f3c0000-0000-8000-8000-000000000000,7B0F4F6E-3C1D-4B53-9A53-0D7C1F1F0A01,2026-11-21T10:00:00.5Z"

    @Test(arguments: [
        ("events", ["form": "csv"], "form"), ("events", ["format": "json"], "format"),
        ("events", ["raw": "yes"], "raw"),
        ("events", ["from": "soon"], "from"), ("events", ["from": "2026-11-02", "to": "2026-11-01"], "to"),
        ("events", ["tz": "Mars"], "tz"), ("events", ["after": "17"], "after"),
        ("events", ["after": row.replacing("17,", with: "x,")], "after"),
        ("events", ["after": row + ",x"], "after"), ("deliveries", ["after": "'; drop table x; --"], "after"),
        ("deliveries", ["include_text": "true"], "include_text"),
    ])
    func `an invalid value is refused with the name of the parameter`(
        kind: String, given: [String: String], name: String
    )
        throws
    {
        let kind = try #require(ExportKind(rawValue: kind))
        do {
            _ = try ExportRequest(kind, given)
            Issue.record("\(given) was accepted")
        } catch {
            guard case .parameter(name, _) = error else { throw error }
        }
    }

    @Test func `every column of a statement is declared in order, and every variable has a value`() throws {
        for kind in ExportKind.allCases {
            let given = kind.hasText ? ["include_text": "true"] : [:]
            let sql = try ExportRequest(kind, given).statement(after: nil, limit: 10)
            #expect(!sql.contains(":'"), "\(kind)")
            let list = sql.split(separator: "select\n", maxSplits: 1)[1].split(separator: "\nfrom ")[0]
            let names = list.split(separator: "\n").compactMap { line -> String? in
                guard line.hasPrefix("    "), !line.hasPrefix("     ") else { return nil }
                let words = line.filter { $0 != "," }.split(separator: " ")
                return words.last.map { String($0.split(separator: ".").last ?? "") }
            }
            #expect(names.filter { $0 != "case" } == kind.columns(text: true).map(\.name), "\(kind)")
        }
    }

    @Test func `a cursor consists of the first columns of a row`() throws {
        let cursor = try #require(ExportCursor(Self.row, of: .events))
        #expect(
            cursor.description == Self.row.lowercased().replacing("t10", with: "T10").replacing(".5z", with: ".500Z")
        )
        #expect(ExportCursor(cursor.description, of: .events) == cursor)
        #expect(cursor.fraction(ofBatches: 34) == 0.5)
        #expect(
            ExportCursor("7fffffff-0000-8000-8000-000000000000", of: .deliveries)?.fraction(ofBatches: 0) ?? 0 > 0.49)
    }

    @Test(arguments: [ExportFormat.csv(raw: false), .ndjson])
    func `an export resumes after the last complete row, wherever the file was cut`(format: ExportFormat) throws {
        let columns = ExportKind.replies.columns(text: true)
        let writer = RowWriter(format, columns)
        let ids = (1...3).map { "0000000\($0)-0000-8000-8000-000000000000" }
        let rows = ids.map { id in
            let cells = columns.dropFirst(3).map { column in
                switch column.kind {
                case .text: "a\\nb\"c\\r\\n1,2,"
                case .time: "2026-11-21 10:00:00+00"
                default: "1"
                }
            }
            return "\(id)\t\(id)\t2026-11-21 10:00:00+00\t" + cells.joined(separator: "\t") + "\n"
        }
        let pieces = [writer.header] + rows.map { writer.written(Array($0.utf8), count: 1) }
        let whole = pieces.reduce([], +)
        var ends = [0]
        for piece in pieces { ends.append(ends.reduce(0) { max($0, $1) } + piece.count) }
        for cut in 0...whole.count {
            var tail = ExportTail(format)
            tail.take(Array(whole[..<cut]))
            let end = ends.filter { $0 <= cut }.max() ?? 0
            #expect(tail.wholeBytes == end)
            let rowsBefore = (ends.lastIndex(of: end) ?? 0) - 1
            let expected = rowsBefore > 0 ? "\(ids[rowsBefore - 1]),\(ids[rowsBefore - 1]),2026-11-21T10:00:00Z" : nil
            #expect(tail.cursor(of: .replies)?.description == expected, "cut at \(cut)")
        }
    }

    @Test func `slices have the same size, whatever the size of rows`() {
        var plan = SlicePlan()
        func slice(rows: Int, of bytes: Int) -> ExportSlice {
            var slice = ExportSlice()
            let row = [UInt8](repeating: UInt8(ascii: "x"), count: bytes - 1) + [UInt8(ascii: "\n")]
            slice.append((0..<rows).flatMap { _ in row })
            return slice
        }
        #expect(plan.rows == 1_000)
        plan.learn(from: slice(rows: 1_000, of: 400))
        #expect(plan.rows == 8_000)
        plan.learn(from: slice(rows: 1_000, of: 400))
        #expect(plan.rows == SlicePlan.target / 400)
        plan.learn(from: slice(rows: 100, of: 10_000))
        #expect(plan.rows == SlicePlan.target / 10_000)
        #expect(plan.isLast(slice(rows: 3, of: 10), wasCut: false))
        #expect(!plan.isLast(slice(rows: 3, of: 10), wasCut: true))
    }
}
