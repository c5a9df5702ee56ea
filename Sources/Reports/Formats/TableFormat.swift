/// A format with an aligned table for people to read on a terminal.
///
/// Rates are percentages with their interval, seconds are durations, and times are in the report's time zone. Empty
/// columns are left out and counted. If the columns do not fit the width, a single row is shown as a list; of more
/// rows, keys that are the same in all are named below, texts are clipped, and the columns with the least to say are
/// left out and named. On a terminal, some results are drawn as well.
package struct TableFormat: ReportFormat {
    /// Whether all columns are shown in full, however long the lines become.
    package var wide: Bool
    /// Whether the text is for a terminal, with emphasis and drawings.
    package var isTerminal: Bool
    /// The width of the terminal in columns.
    package var width: Int
    /// What the caller knows about the result, as further notes below it.
    package var notes: [String]

    package init(wide: Bool = false, isTerminal: Bool = false, width: Int = 120, notes: [String] = []) {
        self.wide = wide
        self.isTerminal = isTerminal
        self.width = width
        self.notes = notes
    }

    package var contentType: String { "text/plain; charset=utf-8" }

    package nonisolated(nonsending) func write(_ result: ReportResult, into sink: ReportSink) async throws {
        var pieces = ChunkedWriter()
        try await pieces.write(styled(TerminalText.visible(result.title), "1") + "\n", into: sink)
        try await pieces.write(styled(subtitle(of: result), "2") + "\n", into: sink)
        let drawing = isTerminal && !wide ? ReportDrawing(of: result, width: width) : nil
        for line in drawing?.lines ?? [] { try await pieces.write(line + "\n", into: sink) }
        let layout = TableLayout(of: result, width: wide ? nil : width)
        if drawing?.replacesTable != true, !result.rows.isEmpty {
            try await pieces.write("\n", into: sink)
            if layout.isList {
                for line in layout.list { try await pieces.write(line + "\n", into: sink) }
            } else {
                try await pieces.write(styled(layout.headings, "1") + "\n", into: sink)
                for row in result.rows.indices { try await pieces.write(layout.line(row) + "\n", into: sink) }
            }
        }
        let omissions = drawing?.replacesTable == true ? [] : layout.notes
        for note in self.notes(on: result) + omissions + notes {
            for (place, line) in TerminalText.wrapped(note, to: width).enumerated() {
                try await pieces.write((place == 0 ? "\n" : "") + styled(line, "2") + "\n", into: sink)
            }
        }
        try await pieces.finish(into: sink)
    }

    private func subtitle(of result: ReportResult) -> String {
        let base = result.commonBase.map { " · base \(TerminalText.visible($0))" } ?? ""
        let zone = result.zoneName == "UTC" ? "" : " · times in \(TerminalText.visible(result.zoneName))"
        // Full seconds are enough for people.
        let time = TerminalText.visible(result.asOf).replacing(/\.\d+Z$/, with: "Z")
        return "\(result.report) · as of \(time)\(base)\(zone)"
    }

    private func notes(on result: ReportResult) -> [String] {
        var notes: [String] = []
        if result.rows.isEmpty {
            notes.append(result.isGoodNews ? "no rows: nothing of this kind happened" : "no rows")
        }
        if result.isTruncated { notes.append("the first \(result.rows.count) rows; more are not shown") }
        let hidden = result.rowsWithSuppressedRates
        if hidden > 0, let least = result.parameters.first(where: { $0.parameter.name == "min_n" })?.value {
            let rows = result.rows.count == 1 ? "" : hidden == 1 ? " in 1 row" : " in \(hidden) rows"
            notes.append("rates over fewer than \(least) deliveries are hidden\(rows); --min-n 1 shows them")
        }
        return notes
    }

    private func styled(_ text: String, _ style: String) -> String {
        isTerminal ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text
    }
}

/// The columns of a table that are shown, and how.
struct TableLayout {
    private var shown: [TableColumn]
    private var notShown: [String] = []
    /// The keys with the same text in all rows, which are named below the table instead.
    private var repeated: [TableColumn] = []
    private let emptyColumns: Int
    /// Whether the one row is a list with a line for each column.
    private(set) var isList = false

    /// Chooses the columns that fit a width, or all for no width.
    init(of result: ReportResult, width: Int?) {
        (shown, emptyColumns) = TableColumn.columns(of: result, keepsEmpty: width == nil)
        guard let width, Self.width(of: shown) > width else { return }
        guard result.rows.count > 1 else {
            let names = shown.map { DisplayWidth.of($0.heading) }.max() ?? 0
            shown = shown.map { $0.clipped(to: max(12, width - names - 2)) }
            isList = true
            return
        }
        let keys = shown.filter { $0.repeatedKey != nil }
        if keys.count < shown.count { repeated = keys }
        let distinct = keys.count < shown.count ? shown.filter { $0.repeatedKey == nil } : shown
        let best = distinct.indices.filter { distinct[$0].rank != .key }.min { distinct[$0].rank < distinct[$1].rank }
        let layouts = [max(12, min(40, width / 3)), 12, 8].map { longest in
            let columns = distinct.map { $0.clipped(to: longest) }
            return Self.places(of: columns, fitting: width).map { (place: $0, column: columns[$0]) }
        }
        // Keys without what a reader looks for say nothing: if it does not fit, texts are clipped shorter.
        let chosen = layouts.first { $0.contains { $0.place == best } } ?? layouts[0]
        let places = chosen.map(\.place)
        shown = Self.widened(chosen.map(\.column), to: width, from: places.map { distinct[$0] })
        notShown = distinct.indices.filter { !places.contains($0) }.map { distinct[$0].heading }
    }

    /// Returns the places of the columns that fit, those of the lowest rank before others.
    private static func places(of columns: [TableColumn], fitting width: Int) -> [Int] {
        var chosen: Set<Int> = []
        let order = columns.indices.sorted { (columns[$0].rank, $0) < (columns[$1].rank, $1) }
        for place in order
        where chosen.isEmpty || Self.width(of: chosen.union([place]).map { columns[$0] }) <= width {
            chosen.insert(place)
        }
        return chosen.sorted()
    }

    /// Returns columns with the room that is left given to clipped texts, from the first to the last.
    private static func widened(
        _ columns: [TableColumn], to width: Int, from whole: [TableColumn]
    ) -> [TableColumn] {
        var columns = columns
        for place in columns.indices {
            let room = width - Self.width(of: columns)
            if room > 0 { columns[place] = whole[place].clipped(to: columns[place].width + room) }
        }
        return columns
    }

    private static func width(of columns: [TableColumn]) -> Int {
        columns.reduce(0) { $0 + $1.width } + 2 * max(0, columns.count - 1)
    }

    var headings: String { line { $0.heading } }

    func line(_ row: Int) -> String { line { $0.cells[row] } }

    /// The lines of a list: names on the left, values on the right.
    var list: [String] {
        let names = shown.map { DisplayWidth.of($0.heading) }.max() ?? 0
        return shown.map { column in
            column.heading + String(repeating: " ", count: names - DisplayWidth.of(column.heading) + 2)
                + (column.cells.first ?? "")
        }
    }

    var notes: [String] {
        var notes: [String] = []
        if !repeated.isEmpty {
            let keys = repeated.map { "\($0.heading) \($0.repeatedKey ?? "")" }
            notes.append("in all rows: \(keys.joined(separator: ", "))")
        }
        if !notShown.isEmpty {
            let columns = notShown.count == 1 ? "1 column does" : "\(notShown.count) columns do"
            notes.append(
                "\(columns) not fit: \(notShown.joined(separator: ", ")); --columns chooses, --wide shows all")
        }
        if emptyColumns == 1 { notes.append("1 empty column is not shown") }
        if emptyColumns > 1 { notes.append("\(emptyColumns) empty columns are not shown") }
        return notes
    }

    private func line(_ cell: (TableColumn) -> String) -> String {
        var line = ""
        for (index, column) in shown.enumerated() {
            let text = cell(column)
            let padding = String(repeating: " ", count: max(0, column.width - DisplayWidth.of(text)))
            let isLast = index == shown.count - 1
            line += column.isRightAligned ? padding + text : isLast ? text : text + padding
            if !isLast { line += "  " }
        }
        return line
    }
}

extension ReportResult {
    /// The name of the time zone of days and shown times.
    var zoneName: String {
        let name = parameters.first { $0.parameter.kind == .zone }?.value ?? ""
        return name.isEmpty ? "UTC" : name
    }

    /// The number of rows that have a rate without a value because of `min_n`.
    fileprivate var rowsWithSuppressedRates: Int {
        guard let place = columns.firstIndex(where: { $0.name == "suppressed" && $0.kind == .boolean }) else {
            return 0
        }
        return rows.count { $0[place] == "true" }
    }

    /// Whether each row of the report is a problem, so that none is good news.
    fileprivate var isGoodNews: Bool { ["rejected", "undeclared", "failures"].contains(report) }
}
