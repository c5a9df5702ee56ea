import Foundation
import SeededRandom

extension Selection {
    /// Generates any selection that contract.md allows.
    init(app: Identifier, vocabulary: Vocabulary, now: Int, random: inout SeededGenerator) {
        self.init(app: app, timeZone: Self.zone(&random), asOf: Self.asOf(now, &random))
        if random.happens(percent: 35) { from = Self.time(now, daysAgo: 5...10, &random) }
        if random.happens(percent: 35) { to = Self.time(now, daysAgo: 0...4, &random) }
        if random.happens(percent: 15) { campaign = random.one(in: vocabulary.campaigns) }
        if random.happens(percent: 15) { category = random.one(in: vocabulary.categories) }
        if random.happens(percent: 10) { variant = random.one(in: vocabulary.variants) }
        if random.happens(percent: 10) { platform = random.one(in: vocabulary.platforms) }
        verified = random.happens(percent: 25)
        by = Self.groupings(&random)
        base = random.one(of: .auto, .auto, .sent, .confirmed)
        minN = random.one(of: 1, 1, 5, 30)
        if random.happens(percent: 20) { appVersion = random.one(in: vocabulary.appVersions) }
    }

    /// The selection of a whole app in UTC, as the dashboard requests it: reports then read days, and otherwise hours.
    static func plain(app: Identifier, now: Int) -> [Selection] {
        let groupings: [[Grouping]] = [[], [.day], [.campaign, .day], [.platform]]
        return groupings.map { by in
            var selection = Selection(app: app, timeZone: .gmt, asOf: now)
            selection.by = by
            selection.minN = 1
            return selection
        }
    }

    private static func zone(_ random: inout SeededGenerator) -> TimeZone {
        let names = [
            "UTC", "Asia/Kolkata", "Australia/Lord_Howe", "America/New_York", "Asia/Kathmandu", "Europe/Berlin",
        ]
        return random.one(in: names).flatMap { TimeZone(identifier: $0) } ?? .current
    }

    private static func asOf(_ now: Int, _ random: inout SeededGenerator) -> Int {
        random.happens(percent: 70) ? now : now + random.number(-72...72) * microsecondsPerHour
    }

    /// A time at an odd second or at the full hour, where inclusive and exclusive bounds differ.
    private static func time(_ now: Int, daysAgo: ClosedRange<Int>, _ random: inout SeededGenerator) -> Int {
        let day = hourStart(now) - random.number(daysAgo) * 24 * microsecondsPerHour
        return day + (random.happens(percent: 40) ? 0 : random.number(1...3599) * 1_000_000)
    }

    /// "At most two; `app_version` alone or with `day` or `platform`."
    private static func groupings(_ random: inout SeededGenerator) -> [Grouping] {
        let count = random.one(of: 0, 1, 1, 2, 2)
        if count > 0, random.happens(percent: 15) {
            return count == 1 ? [.app_version] : [.app_version, random.one(of: .day, .platform)]
        }
        return random.some(count, of: Grouping.allCases.filter { $0 != .app_version })
    }
}
