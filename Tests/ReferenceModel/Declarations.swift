/// What one app declared: category versions, campaigns, sends.
package struct Declarations: Sendable {
    package var categories: [CategoryVersion]
    package var campaigns: [Campaign]
    package var sends: [DeclaredSend]

    package init(categories: [CategoryVersion] = [], campaigns: [Campaign] = [], sends: [DeclaredSend] = []) {
        self.categories = categories
        self.campaigns = campaigns
        self.sends = sends
    }

    /// "Category version: the one its dimensions state, else the one in force at its anchor's hour."
    ///
    /// A stated version that nobody declared is none: it offers nothing (decision D11).
    func version(category: Identifier?, stated: Int?, atHour hour: Int) -> CategoryVersion? {
        guard let category else { return nil }
        if let stated {
            return versions(of: category).first { $0.version == stated }
        }
        // Of those whose hour has come the highest (decision D11).
        return versions(of: category).last { $0.effectiveHour <= hour }
    }

    /// All versions of a category, oldest first.
    func versions(of category: Identifier) -> [CategoryVersion] {
        categories.filter { $0.category == category }.sorted { $0.version < $1.version }
    }

    /// The newest version of each category that is not retired.
    var categoriesNotRetired: [CategoryVersion] {
        Set(categories.map(\.category)).compactMap { versions(of: $0).last }.filter { !$0.retired }
    }

    func campaign(_ id: Identifier?) -> Campaign? {
        campaigns.first { $0.id == id }
    }

    /// "A campaign has one source of sends: its declared sends if it has any", whenever they were (decision D14).
    func declaredSends(of campaign: Identifier?) -> [DeclaredSend] {
        sends.filter { $0.campaign == campaign }
    }
}

extension Declarations {
    /// The sets to put one after the other, oldest first, for the categories to become what they are here.
    ///
    /// The n-th set holds every category's n-th version, or its last; if a category is retired, one more set lacks it.
    package var categoryPuts: [[CategoryVersion]] {
        let names = Set(categories.map(\.category)).sorted()
        let last = categories.map(\.version).max() ?? 0
        let puts = (0..<last).map { step in
            names.map { name in
                let all = versions(of: name)
                return all[min(step, all.count - 1)]
            }
        }
        let kept = categoriesNotRetired.sorted { $0.category < $1.category }
        return kept.count == names.count ? puts : puts + [kept]
    }
}
