import Declarations
import Foundation
import Postgres
import Reports
import Storage
import TestSupport
import Testing

/// Tests what report `experiment` says of campaigns that are looked at each day for a month, from stored events on.
///
/// `CalibrationTests` do this with the formulas alone and many more campaigns. `AFTERPUSH_CALIBRATION_RUNS` is divided by ten
/// here, because the events of each campaign are stored and rolled up.
@Suite(.serialized, .timeLimit(.minutes(30))) struct DailyLookCalibrationTests {
    private static let runs =
        (ProcessInfo.processInfo.environment["AFTERPUSH_CALIBRATION_RUNS"].flatMap { Int($0) } ?? 40) / 10
    /// Campaigns in a database.
    private static let most = 200
    private static let days = 30
    /// Deliveries of a campaign in a day.
    private static let daily = 100
    /// By how much the second variant converts better than the first, if it does.
    private static let effect = 0.1

    /// What the looks at one campaign found.
    private struct Findings {
        var alarm = false
        var formerAlarm = false
        var better = false
        /// Whether all intervals that hold at every look contained the true difference.
        var contained = true
        /// The first day on which the verdict said something, and on which p was below 5 %.
        var day: Int?
        var formerDay: Int?

        mutating func look(at row: [String: String], day: Int, difference: Double) {
            func number(_ name: String) -> Double? { row[name].flatMap { Double($0) } }
            let verdict = row["verdict"] ?? ""
            if ["better", "worse", "sample_ratio_mismatch"].contains(verdict) {
                alarm = true
                self.day = self.day ?? day
            }
            better = better || verdict == "better"
            if let p = number("p"), p < 0.05 {
                formerAlarm = true
                formerDay = formerDay ?? day
            }
            if let low = number("difference_low_anytime"), let high = number("difference_high_anytime") {
                contained = contained && low <= difference && difference <= high
            }
        }
    }

    /// Stores a day of all campaigns of an app: as many sends as `daily`, and the conversions.
    ///
    /// Devices are assigned to a variant at random, and convert 20 % of their deliveries on average. Of those with several
    /// deliveries, half convert almost never.
    private func store(_ day: Int, of campaigns: Int, withEffect: Int, perDevice: Int, seed: Int, in app: TestApp)
        async throws
    {
        func number(_ name: String, _ key: String) -> String {
            "((('x' || substr(md5('\(seed) \(name) ' || \(key)), 1, 8))::bit(32)::bigint + 0.5) / 4294967296)::double precision"
        }
        let rate = perDevice == 1 ? "0.2" : "power(\(number("rate", "device")), 4)"
        try await app.superuserValue(
            """
            with batch as (
                insert into afterpush.batches (batch_id, app_id, started_at, events, duplicates, conflicts, rejected)
                values (nextval('afterpush.batch_ids'), \(app.app.id), now(), 1, 0, 0, 0)
                returning batch_id
            )
            insert into afterpush.events (
                batch_id, app_id, delivery_id, event_id, device_time, occurred_at, kind, verified, device_id,
                notification_id, campaign_id, variant
            )
            select
                (select batch_id from batch), \(app.app.id),
                -- The device's bucket is at the end.
                (substr(md5('\(seed) ' || delivery), 1, 30) || substr(md5('\(seed) bucket ' || device), 31))::uuid,
                md5(kind || delivery)::uuid, at, at, kind::afterpush.event_kind, true, device, 'day-\(day)',
                campaign, case when is_second then 'b' else 'a' end
            from (
                select
                    *,
                    \(number("conversion", "delivery"))
                        < rate + case when is_second and has_effect then \(Self.effect) else 0 end as converts
                from (
                    select
                        *,
                        \(number("variant", "device")) < 0.5 as is_second,
                        \(rate) as rate
                    from (
                        select
                            (case when c > \(campaigns) then 'ab-' else 'aa-' end) || c as campaign,
                            c > \(campaigns) as has_effect,
                            c || ' ' || (\(day * Self.daily) + n) % \(Self.daily * Self.days / perDevice) as device,
                            c || ' ' || \(day * Self.daily) + n as delivery,
                            timestamptz '2026-10-01' + \(day) * interval '1 day' + n * interval '10 minutes' as sent_at
                        from generate_series(1, \(campaigns + withEffect)) as c
                        cross join generate_series(1, \(Self.daily)) as n
                    ) as named
                    offset 0
                ) as assigned
                offset 0
            ) as made
            cross join lateral (
                values ('sent', sent_at, true), ('converted', sent_at + interval '1 minute', converts)
            ) as e (kind, at, happens)
            where happens
            """)
        try await app.rollUp()
    }

    /// What the looks at campaigns of a database find, by their names.
    private func look(at campaigns: Int, withEffect: Int, perDevice: Int, seed: Int) async throws -> [String: Findings]
    {
        let app = try await TestApp()
        for number in 1...(campaigns + withEffect) {
            let name = (number > campaigns ? "ab-" : "aa-") + "\(number)"
            var campaign = CampaignDeclaration(identifier: name, name: name)
            campaign.variants = [
                .init(identifier: "a", weight: 1, isControl: true), .init(identifier: "b", weight: 1, isControl: false),
            ]
            try await app.registry.putCampaign(campaign, app: app.app)
        }
        let reports = ReportService(pool: app.database.reportReads)
        let definition = try ReportService.catalogue().report(named: "experiment")
        var findings: [String: Findings] = [:]
        for day in 0..<Self.days {
            try await store(day, of: campaigns, withEffect: withEffect, perDevice: perDevice, seed: seed, in: app)
            if day % 5 == 0 { try await app.superuserValue("analyze") }
            let result = try await reports.run(
                definition, ReportParameters(validating: [:], for: definition), app: app.app.id, name: "shop")
            let names = result.columns.map(\.name)
            var seen = 0
            for values in result.rows {
                var row: [String: String] = [:]
                for (place, name) in names.enumerated() { row[name] = values[place] }
                guard row["variant"] == "b", let campaign = row["campaign_id"] else { continue }
                seen += 1
                let difference = campaign.hasPrefix("ab") ? Self.effect : 0
                findings[campaign, default: Findings()].look(at: row, day: day, difference: difference)
            }
            #expect(seen == campaigns + withEffect)
        }
        return findings
    }

    @Test(arguments: [1, 10])
    func `the report of a campaign may be looked at each day for a month`(perDevice: Int) async throws {
        var findings: [(name: String, findings: Findings)] = []
        for (seed, start) in stride(from: 0, to: Self.runs, by: Self.most).enumerated() {
            let campaigns = min(Self.most, Self.runs - start)
            findings += try await look(
                at: campaigns, withEffect: max(2, campaigns / 10), perDevice: perDevice, seed: seed
            ).map { ($0.key, $0.value) }
        }
        let same = findings.filter { $0.name.hasPrefix("aa") }.map(\.findings)
        let better = findings.filter { $0.name.hasPrefix("ab") }.map(\.findings)
        try #require(same.count == Self.runs)
        func share(_ found: [Findings], _ condition: (Findings) -> Bool) -> Double {
            Double(found.count { condition($0) }) / Double(found.count)
        }
        func percent(_ share: Double) -> String { String(format: "%.1f %%", 100 * share) }
        print(
            "| deliveries per device | verdict wrong | p < 0.05 | truth in all intervals | better found | worse found |"
        )
        print(
            "| \(perDevice) | \(percent(share(same, \.alarm))) | \(percent(share(same, \.formerAlarm))) "
                + "| \(percent(share(findings.map(\.findings), \.contained))) "
                + "| \(percent(share(better, \.better))) | \(percent(share(better) { $0.alarm && !$0.better })) |")
        print("| day | verdict wrong so far | p < 0.05 so far | better found so far |")
        for day in stride(from: 4, to: Self.days, by: 5) {
            func reached(_ first: Int?) -> Bool { first.map { $0 <= day } ?? false }
            print(
                "| \(day + 1) | \(percent(share(same) { reached($0.day) })) | \(percent(share(same) { reached($0.formerDay) })) "
                    + "| \(percent(share(better) { reached($0.day) })) |")
        }
        // Three standard deviations more than the 5 % that are due.
        let scatter = 3 * (0.05 * 0.95 / Double(Self.runs)).squareRoot()
        #expect(share(same, \.alarm) <= 0.05 + scatter)
        #expect(share(findings.map(\.findings), \.contained) >= 0.95 - scatter)
        #expect(better.allSatisfy { !$0.alarm || $0.better })
        // Few campaigns say nothing about how often something is found.
        guard Self.runs >= 20 else { return }
        // The test for one look, which is why there is a verdict: about 27 %. Deliveries to the same devices tell less new.
        #expect(share(same, \.formerAlarm) >= (perDevice == 1 ? 0.15 : 0.04))
        // And the verdict is of use.
        #expect(share(better, \.better) >= (perDevice == 1 ? 0.8 : 0.2))
    }
}
