import Foundation
import ReferenceModel
import Testing

@Suite struct ScenarioTests {
    private static let now = clock(17, 23, 45) + 123_456
    private let scenarios = (0..<20).map { Scenario(seed: $0, now: ScenarioTests.now) }

    @Test func `the same seed yields the same scenario`() {
        let again = Scenario(seed: 7, now: Self.now)
        #expect(again.events == scenarios[7].events)
        #expect(again.requests() == scenarios[7].requests())
        #expect(scenarios[8].events != scenarios[7].events)
    }

    @Test func `a scenario has the requested number of events within the requested times`() {
        for scenario in scenarios {
            #expect((190...650).contains(scenario.posted.count - scenario.forged.count))
            #expect((2...3).contains(scenario.apps.count))
            let times = scenario.events.map(\.occurredAt)
            #expect(times.allSatisfy { $0 <= Self.now + 3 * microsecondsPerHour })
            #expect(times.allSatisfy { $0 > Self.now - 12 * 24 * microsecondsPerHour })
        }
    }

    @Test func `campaigns of a scenario have different bases, and rows are mixed`() {
        let words = scenarios.prefix(5).map { scenario in
            let selections = scenario.selections.filter { $0.base == .auto }.prefix(8)
            let rows = selections.flatMap { selection in
                conversionReport(
                    events: scenario.events, declarations: scenario.declarations[selection.app] ?? Declarations(),
                    selection: selection)
            }
            return Set(rows.compactMap { $0["base"] })
        }
        for word in ["sent", "confirmed", "none", "mixed"] as [Identifier] {
            #expect(words.contains { $0.contains(.text(word)) }, "\(word)")
        }
    }

    @Test func `of events with the same identity one is verified`() {
        for scenario in scenarios {
            for (_, copies) in Dictionary(grouping: scenario.events, by: EventIdentity.init) where copies.count > 1 {
                #expect(copies.count(where: \.verified) == 1)
            }
        }
        #expect(scenarios.contains { Set($0.events.map(EventIdentity.init)).count < $0.events.count })
    }

    @Test func `the collector's rules accept all events`() {
        for event in scenarios.flatMap(\.events) {
            #expect(event.isAboutDeviceAlone || event.notificationID != nil)
            if event.kind == .sent || event.kind == .failed { #expect(event.verified || event.trigger != nil) }
            if event.kind == .action { #expect(event.actionIdentifier != nil && event.userText == nil) }
            if event.kind == .text_input { #expect(event.actionIdentifier != nil && event.userText != nil) }
            if !event.statesKind { #expect(event.actionIdentifier != nil) }
        }
    }

    @Test func `receipts that are valid, forged, expired or of other notifications occur`() {
        let posted = scenarios.flatMap(\.posted)
        let with = posted.filter { $0.receipt != nil }
        #expect(with.count > posted.count / 5)
        let codes = scenarios.flatMap { scenario in scenario.posted.compactMap { scenario.rejection(of: $0) } }
        for code in ["receipt_invalid", "receipt_expired", "receipt_mismatch", "receipt_missing"] {
            #expect(codes.count { $0 == code } > 5, "\(code)")
        }
        let accepted = scenarios.flatMap(\.events)
        #expect(accepted.count { $0.verified && $0.receipt?.deviceID != nil } > 100)
        #expect(accepted.contains { !$0.verified && $0.receipt != nil })
        #expect(accepted.contains { !$0.statesIDs })
    }

    @Test func `no delivery has more than 32 verified actions, and some have more unverified ones`() {
        func distinct(_ events: [ModelEvent]) -> [Int] {
            let acts = events.filter { $0.kind == .action || $0.kind == .text_input }
            return Dictionary(grouping: acts) { [$0.app, $0.notificationID, $0.deviceID] }.values
                .map { Set($0.map(\.actionIdentifier)).count }
        }
        #expect(scenarios.contains { distinct($0.events).contains { $0 > 32 } })
        for scenario in scenarios {
            let acts = scenario.events.filter { $0.verified && ($0.kind == .action || $0.kind == .text_input) }
            let deliveries = Dictionary(grouping: acts) { [$0.app, $0.notificationID, $0.deviceID] }
            #expect(deliveries.values.allSatisfy { Set($0.map(\.actionIdentifier)).count <= 32 })
        }
    }

    @Test func `versions count up from 1, and each differs from its predecessor`() {
        for declarations in scenarios.flatMap(\.declarations.values) {
            for versions in Dictionary(grouping: declarations.categories, by: \.category).values {
                #expect(versions.map(\.version) == Array(1...versions.count))
                for (older, newer) in zip(versions, versions.dropFirst()) {
                    #expect(older.actions != newer.actions)
                    #expect(newer.effectiveFrom != nil)
                }
                #expect(versions.allSatisfy { Set($0.actions.map(\.id)).count == $0.actions.count })
            }
        }
    }

    @Test func `putting the category sets yields the versions, and the last set omits retired categories`() {
        let one = [order(1, .init("a", title: "")), order(2, from: 5, .init("b", title: ""))]
        let other = CategoryVersion("ship", 1, actions: [], retired: true)
        let puts = Declarations(categories: one + [other]).categoryPuts
        #expect(puts == [[one[0], other], [one[1], other], [one[1]]])
    }

    @Test func `requests contain every event, some of them twice, and each request has one app and one key`() {
        for scenario in scenarios {
            let requests = scenario.requests()
            #expect(requests.allSatisfy { Set($0.map { [$0.app.text, "\($0.verified)"] }).count == 1 })
            let all = requests.flatMap(\.self)
            #expect(Set(all) == Set(scenario.posted))
            #expect(all.count > scenario.posted.count)
        }
    }

    @Test func `the order, grouping and repetition of events change no report`() {
        for scenario in scenarios.prefix(3) {
            for selection in scenario.selections.prefix(8) {
                let declarations = scenario.declarations[selection.app] ?? Declarations()
                let cuts = [scenario.events] + (0...1).map { scenario.accepted(scenario.requests(cut: $0)) }
                let conversions = cuts.map {
                    conversionReport(events: $0, declarations: declarations, selection: selection)
                }
                let actions = cuts.map { actionsReport(events: $0, declarations: declarations, selection: selection) }
                #expect(Set(conversions).count == 1)
                #expect(Set(actions).count == 1)
            }
        }
    }
}

extension Scenario {
    /// The accepted events of the requests, in order.
    fileprivate func accepted(_ requests: [[ModelEvent]]) -> [ModelEvent] {
        requests.flatMap(\.self).filter { rejection(of: $0) == nil }.map(\.validated)
    }
}
