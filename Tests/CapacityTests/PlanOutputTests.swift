import Capacity
import Foundation
import Testing

struct PlanOutputTests {
    private static let rates = [1_000.0, 10_000, 100_000, 1_000_000]

    private static func plans(_ rates: [Double]) -> [CapacityPlan] {
        rates.map {
            CapacityPlan(
                Workload(eventsPerSecond: $0), machine: DatabaseMachine(),
                collector: CollectorSize(connections: 26, lanes: 2))
        }
    }

    private static func page(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: name), encoding: .utf8)
    }

    @Test func `docs/scale.md has the table that the program prints`() throws {
        let table = PlanTable(Self.plans(Self.rates)).text
        #expect(try Self.page("docs/scale.md").contains("```text\n\(table)\n```"), "\(table)")
    }

    @Test func `docs/scale.md lists each cost with its value and how it is known`() throws {
        let lines = try Self.page("docs/scale.md").split(separator: "\n")
        for cost in Cost.all {
            let row = lines.first { $0.hasPrefix("| `\(cost.name)` |") }?.split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            let value = cost.value.formatted(.number.locale(Locale(identifier: "en_US")))
            #expect(
                row.map { Array($0.dropFirst().prefix(2)) } == ["\(value) \(cost.unit.rawValue)", cost.basis.rawValue],
                "\(cost.name)")
        }
    }

    @Test func `each row has a value for each rate, in aligned columns`() {
        let lines = PlanTable(Self.plans(Self.rates)).text.split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("  ") }
        #expect(rows.count > 25)
        #expect(Set(rows.map(\.count)).count == 1, "columns are aligned to the right")
        #expect(lines.allSatisfy { $0.count <= 120 })
        let averages = rows.first?.split(separator: " ").suffix(4).map(String.init)
        #expect(averages == ["1,000", "10,000", "100,000", "1,000,000"])
    }

    @Test func `the JSON has the numbers of the plan and the costs behind them`() throws {
        let plans = Self.plans([2_500.5])
        let json = PlanDocument(plans).json
        let document = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let plan = try #require((document["plans"] as? [[String: Any]])?.first)
        #expect(plan["events_per_second"] as? Double == 2_500.5)
        #expect(plan["databases"] as? Int == plans[0].databases)
        let largest = try #require(plan["largest_app_events_per_second"] as? Double)
        #expect(abs(largest - plans[0].largestApp) < 1e-6)
        let each = try #require(plan["each_database"] as? [String: Any])
        let used = try #require((each["used_at_peak"] as? [String: Any])?["rollup_worker"] as? Double)
        #expect(abs(used - plans[0].each.rollupLoad) < 1e-9)
        let costs = try #require(document["costs"] as? [[String: Any]])
        #expect(costs.map { $0["name"] as? String } == Cost.all.map(\.name))
        #expect(costs.map { $0["value"] as? Double } == Cost.all.map(\.value))
    }

    @Test func `costs have names of their own, and are above 0`() {
        #expect(Set(Cost.all.map(\.name)).count == Cost.all.count)
        #expect(Cost.all.allSatisfy { $0.value > 0 && !$0.source.isEmpty })
    }
}
