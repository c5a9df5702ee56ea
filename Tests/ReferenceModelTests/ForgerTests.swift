import Foundation
import ReferenceModel
import Testing

/// Tests that unverified events, whatever they say, change nothing that verified ones say.
@Suite struct ForgerTests {
    private static let now = clock(17, 23, 45) + 123_456
    private typealias Report = @Sendable ([ModelEvent], Declarations, Selection) -> [ModelRow]
    private static let reports: [(String, Report)] = [
        ("conversion", { conversionReport(events: $0, declarations: $1, selection: $2) }),
        ("actions", { actionsReport(events: $0, declarations: $1, selection: $2) }),
        ("overview", { overviewReport(events: $0, declarations: $1, selection: $2) }),
        ("funnel", { funnelReport(events: $0, declarations: $1, selection: $2) }),
        ("heatmap", { heatmapReport(events: $0, declarations: $1, selection: $2) }),
        ("response-time", { responseTimeReport(events: $0, declarations: $1, selection: $2) }),
        ("curve", { responseCurve(events: $0, declarations: $1, selection: $2) }),
        ("timeseries", { timeseriesReport(events: $0, declarations: $1, selection: $2) }),
        ("experiment", { experimentReport(events: $0, declarations: $1, selection: $2) }),
        ("fatigue", { fatigueReport(events: $0, declarations: $1, selection: $2) }),
        ("influence", { influenceReport(events: $0, declarations: $1, selection: $2, baseline: true) }),
        ("failures", { failuresReport(events: $0, declarations: $1, selection: $2) }),
        ("replies", { repliesReport(events: $0, declarations: $1, selection: $2, top: 3, fewest: 1) }),
        ("lift", { liftReport(events: $0, declarations: $1, selection: $2) }),
        ("value", { valueReport(events: $0, declarations: $1, selection: $2) }),
        ("heatmap by device", { heatmapReport(events: $0, declarations: $1, selection: $2, byDevice: true) }),
        ("texts", { replyTexts(events: $0, declarations: $1, selection: $2) }),
    ]

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `no set of unverified events changes a report with verified`(seed: UInt64) async {
        let scenario = Scenario(seed: seed, now: Self.now)
        let verified = scenario.events.filter(\.verified)
        for var selection in scenario.selections {
            selection.verified = true
            let declarations = scenario.declarations[selection.app] ?? Declarations()
            for (name, report) in Self.reports {
                let alone = report(verified, declarations, selection)
                #expect(report(scenario.events, declarations, selection) == alone, "seed \(seed), \(name)")
                // This takes minutes in all, and other tests with deadlines share the threads.
                await Task.yield()
            }
        }
    }

    @Test func `a forger reaches every dimension, the anchor and the actions of unprotected reports`() async {
        var changed: Set<String> = []
        for scenario in (0..<12).map({ Scenario(seed: $0, now: Self.now) }) {
            let forged = Set(scenario.forged.map(EventIdentity.init))
            let genuine = scenario.events.filter { $0.verified || !forged.contains(EventIdentity($0)) }
            for var selection in scenario.selections.prefix(4) {
                selection.verified = false
                let declarations = scenario.declarations[selection.app] ?? Declarations()
                for (name, report) in Self.reports {
                    let forged = report(scenario.events, declarations, selection)
                    if forged != report(genuine, declarations, selection) { changed.insert(name) }
                    await Task.yield()
                }
            }
        }
        #expect(changed.count >= 15, "\(changed.sorted())")
    }

    @Test func `a forged confirmation moves no delivery to another campaign`() throws {
        let sent = event(.sent, verified: true)
        let confirmed = event(.delivered, verified: true) { $0.campaign = "real" }
        let tapped = tap("yes", verified: true)
        let forged = event(.delivered) { $0.campaign = "forged" }
        for verified in [false, true] {
            let rows = try rows([sent, confirmed, tapped, forged]) {
                $0.by = [.campaign]
                $0.verified = verified
            }
            #expect(rows.map { $0["campaign_id"] } == [.text("real")])
            #expect(rows[0].counts("converted") == [1])
        }
    }

    @Test func `unverified actions past the 32nd by name count together, and verified ones by name`() throws {
        let forged = (0..<40).map { number in tap(Identifier(number < 10 ? "!0\(number)" : "!\(number)")) }
        let rows = try actions([event(.delivered, verified: true), tap("yes", verified: true)] + forged)
        #expect(rows.count == 34)
        #expect(rows.map { $0["action_id"] }.contains(.text("!31")))
        #expect(!rows.map { $0["action_id"] }.contains(.text("!32")))
        let other = rows.filter { $0["action_id"] == .text("(other)") }
        #expect(other.map { $0.counts("acted", "total") } == [[1, 8]])
        let own = rows.filter { $0["action_id"] == .text("yes") }
        #expect(own.map { $0.counts("acted", "total") } == [[1, 1]])
    }

    @Test func `a refused delivery is neither pending nor without response, and the counts of a row add up`() throws {
        let events = [
            event(.sent, "n1"), event(.failed, "n1", verified: true), event(.sent, "n2"), event(.opened, "n3"),
            event(.sent, "n4"), event(.replaced, "n4"), event(.failed, "n5"), event(.replaced, "n5"),
        ]
        let open = try row(events) { $0.asOf = clock(11) }
        #expect(open.counts("responded", "no_response", "pending", "failed") == [1, 0, 1, 2])
        let closed = try row(events)
        #expect(closed.counts("responded", "no_response", "pending", "closed_n") == [1, 1, 0, 2])
        #expect(closed.rate("no_response_rate") == 0.5)
    }
}
