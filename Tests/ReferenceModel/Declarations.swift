package import Foundation

/// The declarations of one app: category versions, campaigns and sends.
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
    /// A stated version that is not declared offers nothing (decision D11).
    func version(category: Identifier?, stated: Int?, atHour hour: Int) -> CategoryVersion? {
        guard let category else { return nil }
        if let stated {
            return versions(of: category).first { $0.version == stated }
        }
        // Of the versions whose hour has come, the one with the latest hour; of several with that hour the highest
        // (decision D11).
        return versions(of: category).filter { $0.effectiveHour <= hour }
            .max { ($0.effectiveHour, $0.version) < ($1.effectiveHour, $1.version) }
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
    /// The category sets whose declaration, oldest first, yields these categories.
    ///
    /// The n-th set contains every category's n-th or last version. If a category is retired, one more set lacks it.
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

/// A row of `POST /v1/sends`: a number of sends, without the devices.
package struct DeclaredSend: Hashable, Sendable {
    package var sendID: UUID
    package var campaign: Identifier
    package var variant: Identifier?
    package var category: Identifier?
    package var categoryVersion: Int?
    package var platform: Identifier?
    package var count: Int
    package var failed: Int
    /// Microseconds since the Unix epoch.
    package var sentAt: Int

    package init(sendID: UUID, campaign: Identifier, count: Int, failed: Int = 0, sentAt: Int) {
        self.sendID = sendID
        self.campaign = campaign
        self.count = count
        self.failed = failed
        self.sentAt = sentAt
    }
}
