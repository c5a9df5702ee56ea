import Reports

/// A list for people on a terminal, with aligned columns and headings; elsewhere lines with tabs, for programs.
///
/// Both show control characters of names as visible ones.
struct ListTable {
    private let headings: [String]
    private var rows: [[String]] = []

    init(_ headings: String...) {
        self.headings = headings
    }

    mutating func append(_ cells: String...) {
        rows.append(cells)
    }

    func print() {
        guard Terminal.isInteractive else {
            for row in rows {
                let cells = row.last == "" ? row.dropLast() : row[...]
                Terminal.print(cells: Array(cells))
            }
            return
        }
        guard !rows.isEmpty else {
            Terminal.note("none")
            return
        }
        Terminal.print(lines(width: Terminal.width).joined(separator: "\n"))
    }

    /// The lines of the table. The last column continues on further lines where the terminal ends.
    func lines(width: Int) -> [String] {
        let all = ([headings] + rows).map { $0.map(TerminalText.visible) }
        let widths = headings.indices.map { place in all.map { TerminalText.width($0[place]) }.max() ?? 0 }
        let indentation = widths.dropLast().reduce(0) { $0 + $1 + 2 }
        let room = max(20, width - indentation)
        return all.enumerated().flatMap { number, cells in
            let start = cells.dropLast().enumerated().map { place, cell in
                cell + String(repeating: " ", count: widths[place] - TerminalText.width(cell) + 2)
            }.joined()
            let rest = TerminalText.wrapped(cells.last ?? "", to: room)
            let text = rest.enumerated().map { line, text in
                (line == 0 ? start : String(repeating: " ", count: indentation)) + text
            }
            return number == 0 ? text.map { "\u{1B}[1m\($0)\u{1B}[0m" } : text
        }
    }
}
