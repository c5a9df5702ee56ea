import Foundation

/// A drawing of a result in characters: a grid of weekdays and hours, a curve, or a line of bars for each count over
/// time.
///
/// What is drawn depends on the columns alone, so that a team's own reports are drawn too.
struct ReportDrawing {
    let lines: [String]
    /// Whether the drawing says all that the table would.
    let replacesTable: Bool

    /// Returns nil if there is nothing to draw, or not enough room.
    init?(of result: ReportResult, width: Int) {
        guard !result.rows.isEmpty else { return nil }
        if let lines = Self.grid(of: result, width: width) {
            (self.lines, replacesTable) = (lines, true)
        } else if let lines = Self.curve(of: result, width: width) {
            (self.lines, replacesTable) = (lines, true)
        } else if let lines = Self.bars(of: result, width: width) {
            (self.lines, replacesTable) = (lines, false)
        } else {
            return nil
        }
    }

    private static func place(_ name: String, _ result: ReportResult) -> Int? {
        result.columns.firstIndex { $0.name == name }
    }

    // MARK: - A grid

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// The first rate for each weekday and hour in per cent; a point where it is hidden. The darker, the higher.
    private static func grid(of result: ReportResult, width: Int) -> [String]? {
        guard let day = place("weekday", result), let hour = place("hour", result),
            let rate = result.columns.firstIndex(where: \.isRatio)
        else { return nil }
        var rates: [Int: Double] = [:]
        var places: Set<Int> = []
        var isComplete = true
        for row in result.rows {
            guard let day = row[day].flatMap({ Int($0) }), let hour = row[hour].flatMap({ Int($0) }) else {
                isComplete = false
                continue
            }
            guard (1...7).contains(day), (0...23).contains(hour), places.insert(day * 24 + hour).inserted else {
                return nil
            }
            rates[day * 24 + hour] = row[rate].flatMap { Double($0) }
        }
        let highest = rates.values.max() ?? 0
        func cell(_ day: Int, _ hour: Int, _ width: Int) -> String {
            guard let rate = rates[day * 24 + hour] else {
                return padded(places.contains(day * 24 + hour) ? "·" : "", width)
            }
            let text = padded(String(Int((rate * 100).rounded())), width)
            // Six shades of the 256 colors, the darkest with white letters.
            let shades = [255, 195, 153, 111, 69, 27]
            let shade = highest > 0 ? min(5, Int(rate / highest * 6)) : 0
            return "\u{1B}[48;5;\(shades[shade]);38;5;\(shade > 3 ? 231 : 16)m\(text)\u{1B}[0m"
        }
        let unknown = isComplete ? "" : "; deliveries of an unknown hour are left out"
        let legend = ["", "\(result.columns[rate].name) in per cent; a point is a rate that is hidden\(unknown)"]
        if width >= 4 + 24 * 3 {
            let cells = width >= 4 + 24 * 4 ? 4 : 3
            return [
                "", "    " + (0..<24).map { padded(String($0), cells) }.joined(),
            ] + (1...7).map { day in weekdays[day - 1] + " " + (0..<24).map { cell(day, $0, cells) }.joined() } + legend
        }
        guard width >= 4 + 7 * 5 else { return nil }
        return ["", "    " + weekdays.map { padded($0, 5) }.joined()]
            + (0..<24).map { hour in padded(String(hour), 3) + " " + (1...7).map { cell($0, hour, 5) }.joined() }
            + legend
    }

    // MARK: - A curve

    private static let height = 12

    /// The share that has responded by a time, over the logarithm of the time.
    private static func curve(of result: ReportResult, width: Int) -> [String]? {
        guard let time = place("seconds", result), let survival = place("survival", result), width >= 40,
            result.columns.first?.name == "seconds"
        else { return nil }
        var points: [(seconds: Double, share: Double)] = []
        for row in result.rows {
            guard let seconds = row[time].flatMap({ Double($0) }), let left = row[survival].flatMap({ Double($0) })
            else {
                continue
            }
            points.append((max(1, seconds), 1 - left))
        }
        points.sort { $0.seconds < $1.seconds }
        guard let first = points.first, let last = points.last, last.seconds > first.seconds, last.share > 0 else {
            return nil
        }
        let columns = min(width - 9, 100)
        // A round number above the highest share, for the axis.
        let top = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 0.75, 1].first { $0 >= last.share } ?? 1
        let eighths = (0..<columns).map { column in
            let seconds =
                first.seconds
                * pow(last.seconds / first.seconds, columns > 1 ? Double(column) / Double(columns - 1) : 1)
            let share = points.last { $0.seconds <= seconds * 1.000_001 }?.share ?? 0
            return Int((share / top * Double(height * 8)).rounded())
        }
        var lines = [""]
        for row in (0..<height).reversed() {
            let isMarked = row == height - 1 || row == height / 2 - 1
            let label = isMarked ? String(format: "%.4g %%", top * 100 * Double(row + 1) / Double(height)) : ""
            lines.append(padded(label, 7) + " ┤" + String(eighths.map { block($0 - row * 8) }))
        }
        lines.append(padded("0 %", 7) + " └" + String(repeating: "─", count: columns))
        lines.append(String(repeating: " ", count: 9) + axis(from: first.seconds, to: last.seconds, columns: columns))
        lines += ["", "share that had responded; the time is logarithmic"]
        return lines
    }

    /// The labels below a logarithmic axis of time.
    private static func axis(from start: Double, to end: Double, columns: Int) -> String {
        let marks: [(seconds: Double, text: String)] = [
            (1, "1 s"), (10, "10 s"), (60, "1 min"), (600, "10 min"), (3_600, "1 h"), (21_600, "6 h"), (86_400, "1 d"),
            (259_200, "3 d"), (604_800, "7 d"), (2_592_000, "30 d"),
        ]
        var line = ""
        for mark in marks where mark.seconds >= start && mark.seconds <= end {
            let column = Int((log(mark.seconds / start) / log(end / start) * Double(columns - 1)).rounded())
            guard column >= line.count + (line.isEmpty ? 0 : 2) || line.isEmpty, column + mark.text.count <= columns
            else {
                continue
            }
            line += String(repeating: " ", count: column - line.count) + mark.text
        }
        return line
    }

    // MARK: - Bars

    /// A line for each count, with a bar for each time or, if there are more than fit, for as many neighbors as needed.
    private static func bars(of result: ReportResult, width: Int) -> [String]? {
        guard let first = result.columns.first, [.time, .date].contains(first.kind),
            result.columns.dropFirst().allSatisfy({ $0.kind == .integer || $0.isRatio }), result.rows.count > 2
        else { return nil }
        var series: [(name: String, values: [Double], total: Int)] = []
        for (place, column) in result.columns.enumerated().dropFirst() where column.kind == .integer {
            let values = result.rows.map { row in row[place].flatMap { Double($0) } ?? 0 }
            let total = Int(values.reduce(0, +))
            if total > 0 { series.append((column.name, values, total)) }
        }
        let names = series.map(\.name.count).max() ?? 0
        let totals = series.map { String($0.total).count }.max() ?? 0
        let room = width - names - totals - 4
        guard !series.isEmpty, room >= 8 else { return nil }
        let neighbours = (result.rows.count + room - 1) / room
        return [""]
            + series.map { name, values, total in
                // What is left over is at the beginning, so that the newest bar is whole.
                let sums = stride(from: values.count, to: 0, by: -neighbours).map {
                    values[max(0, $0 - neighbours)..<$0].reduce(0, +)
                }.reversed()
                let highest = sums.max() ?? 1
                // A count that is not zero is never drawn as zero.
                let bars = sums.map { $0 == 0 ? block(0) : block(max(1, Int(($0 / highest * 8).rounded()))) }
                return name + String(repeating: " ", count: names - name.count + 2) + padded(String(total), totals)
                    + "  "
                    + String(bars)
            }
    }

    // MARK: - Characters

    /// A cell that is filled from below, in eighths.
    private static func block(_ eighths: Int) -> Character {
        Array(" ▁▂▃▄▅▆▇█")[max(0, min(8, eighths))]
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - DisplayWidth.of(text))) + text
    }
}
