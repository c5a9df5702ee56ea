import Reports
import Testing

/// Tests what a terminal shows instead of rows of numbers, or above them.
@Suite struct ReportDrawingTests {
    private func lines(_ columns: [String], _ rows: [[String?]], width: Int) async throws -> [String] {
        let text = try await TableFormat(isTerminal: true, width: width).text(of: Sample.result(columns, rows: rows))
        return text.replacing(/\x1B\[[0-9;]*m/, with: "").split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    private let heatmap = ["weekday integer", "hour integer", "base_n integer", "response_rate number ratio"]

    private var week: [[String?]] {
        (1...7).flatMap { day in
            (0..<24).map { hour in ["\(day)", "\(hour)", "9", day == 7 ? nil : "\(Double(day * hour) / 200)"] }
        }
    }

    @Test(arguments: [60, 80, 120, 200])
    func `weekdays and hours are a grid that fits`(width: Int) async throws {
        let lines = try await lines(heatmap, week, width: width)
        #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
        if width == 60 {
            #expect(lines.contains("      Mon  Tue  Wed  Thu  Fri  Sat  Sun"), "\(lines)")
            #expect(lines.contains(" 23    12   23   35   46   57   69    ·"), "\(lines)")
        } else {
            let saturday = try #require(lines.first { $0.hasPrefix("Sat ") })
            #expect(
                saturday.hasSuffix(" 69") && lines.contains { $0.hasPrefix("Sun ") && $0.contains("·") }, "\(lines)")
        }
        #expect(!lines.contains { $0.hasPrefix("weekday") }, "\(lines)")
    }

    @Test func `deliveries of an unknown hour are no cell, and the legend says so`() async throws {
        let lines = try await lines(heatmap, week + [[nil, nil, "5", "0.2"]], width: 120)
        #expect(lines.contains { $0.contains("deliveries of an unknown hour are left out") }, "\(lines)")
    }

    @Test func `a cell that appears twice is no grid`() async throws {
        let lines = try await lines(heatmap, week + week.prefix(1), width: 120)
        #expect(lines.contains { $0.hasPrefix("weekday") }, "\(lines)")
    }

    @Test(arguments: [60, 80, 120, 200])
    func `a survival curve is a plot with a scale`(width: Int) async throws {
        let rows: [[String?]] = (0...20).map { step in
            ["\(Double(1 << step))", "\(1000 - step * 20)", "20", "\(1 - Double(step) * 0.02)"]
        }
        let columns = ["seconds number seconds", "at_risk integer", "responded integer", "survival number ratio"]
        let lines = try await lines(columns, rows, width: width)
        #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
        let top = try #require(lines.first { $0.hasPrefix("   50 % ┤") })
        #expect(!top.contains("█"), "40 % do not fill the upper half: \(top)")
        #expect(lines.contains { $0.hasPrefix("   25 % ┤") && $0.hasSuffix("█") }, "\(lines)")
        #expect(lines.contains { $0.contains("1 min") && $0.contains("1 d") }, "\(lines)")
    }

    @Test(arguments: [60, 80, 120, 200])
    func `counts over time have a line of bars each, and a table below`(width: Int) async throws {
        let rows: [[String?]] = (0..<100).map { step in
            let day = step % 28 + 1
            let month = step / 28 + 1
            let time = "2026-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)T00:00:00Z"
            return [time, "\(step)", "0", step == 50 ? "1" : "0", "0.5"]
        }
        let columns = ["time time", "sent integer", "failed integer", "opened integer", "verified_share number ratio"]
        let lines = try await lines(columns, rows, width: width)
        #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
        let sent = try #require(lines.first { $0.hasPrefix("sent ") })
        #expect(sent.contains("4950  ") && sent.hasSuffix("█"), "\(sent)")
        // One event in a hundred days is seen.
        #expect(lines.first { $0.hasPrefix("opened") }?.contains("█") == true, "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("failed") }, "nothing failed: \(lines)")
        #expect(lines.contains { $0.hasPrefix("2026-01-02") }, "\(lines)")
    }

    @Test func `without a terminal nothing is drawn`() async throws {
        let text = try await TableFormat(width: 120).text(of: Sample.result(heatmap, rows: week))
        #expect(text.contains("weekday  hour") && !text.contains("Mon"), "\(text)")
    }
}
