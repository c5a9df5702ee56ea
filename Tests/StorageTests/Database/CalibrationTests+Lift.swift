import Foundation
import Postgres
import SeededRandom
import Storage
import TestSupport
import Testing

extension CalibrationTests {
    /// Each look at a campaign with a holdout: both intervals of the difference, and the verdict.
    private static let compared = """
        select
            afterpush.difference_low(k1, n1, k0, n0, effect1, effect0),
            afterpush.difference_high(k1, n1, k0, n0, effect1, effect0),
            afterpush.difference_low_anytime(k1, n1, k0, n0, effect1, effect0, 10000, 1),
            afterpush.difference_high_anytime(k1, n1, k0, n0, effect1, effect0, 10000, 1),
            afterpush.experiment_verdict(
                afterpush.sample_ratio_p_anytime(array[n1, n0], array[0.8, 0.2], ratio_effect),
                afterpush.difference_low_anytime(k1, n1, k0, n0, effect1, effect0, 10000, 1),
                afterpush.difference_high_anytime(k1, n1, k0, n0, effect1, effect0, 10000, 1),
                0.01, least(n1, n0) < 30
            )
        from (\(counted(weights: "array[0.8, 0.2]"))) as c
        order by n1 + n0
        """

    /// What looks at campaigns with a known effect found.
    private struct Findings {
        var (oneLook, everyLook, wrong, found) = (0, 0, 0, 0)

        mutating func add(_ rows: Rows, truth: Double) throws {
            var (holds, isWrong, isFound) = (true, false, false)
            for (place, row) in rows.enumerated() {
                let (low, high, lowest, highest, verdict) = try row.decode(
                    Double.self, Double.self, Double.self, Double.self, String.self)
                if place == rows.count - 1, low <= truth, truth <= high { oneLook += 1 }
                if lowest > truth || highest < truth { holds = false }
                switch verdict {
                case "better": (isWrong, isFound) = (isWrong || truth <= 0, true)
                case "equivalent": isWrong = isWrong || abs(truth) > 0.01
                case "worse", "sample_ratio_mismatch": isWrong = true
                default: break
                }
            }
            everyLook += holds ? 1 : 0
            wrong += isWrong ? 1 : 0
            found += isFound ? 1 : 0
        }
    }

    @Test(arguments: [(1, 0.0), (5, 0.0), (1, 0.03), (5, 0.03)])
    func `what a campaign added agrees with the truth, also with several deliveries of a device`(
        perDevice: Int, truth: Double
    ) async throws {
        let app = try await TestApp()
        var random = SeededGenerator(seed: 33)
        var findings = Findings()
        try await app.database.report.withConnection { connection in
            for _ in 0..<Self.runs {
                var arms = Arms()
                var looks: [Arms] = []
                for _ in 0..<10 {
                    // A fifth of the devices is held out. A device orders anyway with 10 % on average, most of them hardly
                    // ever. All deliveries of its window then have the outcome.
                    for _ in 0..<500 {
                        let hash = random.next()
                        let arm = random.happens(0.2) ? 0 : 1
                        let rate = Self.beta(0.5, 4.5, &random) + (arm == 1 ? truth : 0)
                        let outcomes = random.happens(rate) ? perDevice : 0
                        arms.deliveries[arm][Int(hash & 127)] += perDevice
                        arms.conversions[arm][Int(hash & 127)] += outcomes
                    }
                    looks.append(arms)
                }
                try findings.add(try await connection.query(Self.compared, Self.parameters(looks)), truth: truth)
            }
        }
        func percent(_ count: Int) -> String { String(format: "%.1f %%", 100 * Double(count) / Double(Self.runs)) }
        let cells = [findings.oneLook, findings.everyLook, findings.wrong, findings.found].map(percent)
        print("| \(100 * truth) | \(perDevice) | \(cells.joined(separator: " | ")) |")
        let (all, scatter) = (Double(Self.runs), Self.isLong ? 0 : 3 * (0.05 * 0.95 / Double(Self.runs)).squareRoot())
        #expect(Double(findings.oneLook) / all >= 0.935 - scatter && Double(findings.oneLook) / all <= 0.965 + scatter)
        #expect(Double(findings.everyLook) / all >= 0.95 - scatter)
        #expect(Double(findings.wrong) <= Self.limit(0.05, of: Self.runs) * all)
        #expect(truth == 0 || Double(findings.found) >= (Self.isLong ? 0.35 : 0.15) * all)
    }
}
