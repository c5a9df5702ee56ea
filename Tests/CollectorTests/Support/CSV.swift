import Foundation
import ReferenceModel

/// Parses CSV by RFC 4180: quoted fields can contain commas, quotes and newlines; an empty unquoted field is null.
enum CSV {
    /// The rows of fields, including the header.
    static func parse(_ text: String) -> [[String?]] {
        var rows: [[String?]] = []
        var row: [String?] = []
        var field = String.UnicodeScalarView()
        var (isQuoted, wasQuoted) = (false, false)
        func value() -> String? { field.isEmpty && !wasQuoted ? nil : String(field) }
        var scalars = text.unicodeScalars.makeIterator()
        var next = scalars.next()
        while let scalar = next {
            next = scalars.next()
            switch (scalar, isQuoted) {
            case ("\"", true) where next == "\"":
                field.append("\"")
                next = scalars.next()
            case ("\"", true): isQuoted = false
            case ("\"", false):
                isQuoted = true
                wasQuoted = true
            case (",", false), ("\n", false):
                row.append(value())
                field.removeAll()
                wasQuoted = false
                if scalar == "\n" {
                    rows.append(row)
                    row = []
                }
            case ("\r", false): break
            default: field.append(scalar)
            }
        }
        return rows
    }

    /// The numbers of a column.
    static func integers(_ text: String, _ column: String) -> [Int?] {
        let rows = parse(text)
        guard let place = rows.first?.firstIndex(of: column) else { return [] }
        return rows.dropFirst().map { $0[place].flatMap { Int($0) } }
    }

    static func integer(_ value: ModelValue?) -> Int? {
        if case .int(let number)? = value { return number }
        return nil
    }
}
