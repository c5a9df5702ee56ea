import Foundation

extension Selection {
    /// Any selection that contract.md allows.
    init(app: Identifier, vocabulary: Vocabulary, now: Int, chance: inout Chance) {
        self.init(app: app, timeZone: Self.zone(&chance), asOf: Self.asOf(now, &chance))
        if chance.happens(35) { from = Self.time(now, daysAgo: 5...10, &chance) }
        if chance.happens(35) { to = Self.time(now, daysAgo: 0...4, &chance) }
        if chance.happens(15) { campaign = chance.one(in: vocabulary.campaigns) }
        if chance.happens(15) { category = chance.one(in: vocabulary.categories) }
        if chance.happens(10) { variant = chance.one(in: vocabulary.variants) }
        if chance.happens(10) { platform = chance.one(in: vocabulary.platforms) }
        verified = chance.happens(25)
        by = Self.groupings(&chance)
        per = chance.one(of: .auto, .auto, .sent, .confirmed)
        minN = chance.one(of: 1, 1, 5, 30)
    }

    /// All of an app in UTC, as a page asks for it: there whole days are read, where most selections need hours.
    static func plain(app: Identifier, now: Int) -> [Selection] {
        let groupings: [[Grouping]] = [[], [.day], [.campaign, .day], [.platform]]
        return groupings.map { by in
            var selection = Selection(app: app, timeZone: .gmt, asOf: now)
            selection.by = by
            selection.minN = 1
            return selection
        }
    }

    private static func zone(_ chance: inout Chance) -> TimeZone {
        let names = [
            "UTC", "Asia/Kolkata", "Australia/Lord_Howe", "America/New_York", "Asia/Kathmandu", "Europe/Berlin",
        ]
        return chance.one(in: names).flatMap { TimeZone(identifier: $0) } ?? .current
    }

    private static func asOf(_ now: Int, _ chance: inout Chance) -> Int {
        chance.happens(70) ? now : now + chance.number(-72...72) * microsecondsPerHour
    }

    /// At an odd second, or at the full hour, where inclusive and exclusive matter.
    private static func time(_ now: Int, daysAgo: ClosedRange<Int>, _ chance: inout Chance) -> Int {
        let day = hourStart(now) - chance.number(daysAgo) * 24 * microsecondsPerHour
        return day + (chance.happens(40) ? 0 : chance.number(1...3599) * 1_000_000)
    }

    /// "At most two; `app_version` alone or with `day` or `platform`."
    private static func groupings(_ chance: inout Chance) -> [Grouping] {
        let count = chance.one(of: 0, 1, 1, 2, 2)
        if count > 0, chance.happens(15) {
            return count == 1 ? [.app_version] : [.app_version, chance.one(of: .day, .platform)]
        }
        return chance.some(count, of: Grouping.allCases.filter { $0 != .app_version })
    }
}
