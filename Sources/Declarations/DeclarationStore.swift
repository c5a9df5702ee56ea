package import Events

/// Keeps the categories and campaigns of apps.
package protocol DeclarationStore: Sendable {
    /// The limits of an app's names, which a declaration must not exceed.
    var limits: NameLimits { get }
    /// Replaces an app's categories: a changed category gets the next version, an absent one is retired.
    ///
    /// Throws a `DeclarationError`, and changes nothing, if the set exceeds a limit.
    func put(_ categories: CategorySet, ofApp id: Int32) async throws -> CategoryChange
    /// Returns the categories that are not retired, each in the version that is in force now, ordered by identifier.
    func categories(ofApp id: Int32) async throws -> [(declaration: CategoryDeclaration, version: Int32)]
    func put(_ campaign: CampaignDeclaration, ofApp id: Int32) async throws
    /// Returns the campaign with an identifier, also if it is archived.
    func campaign(_ identifier: String, ofApp id: Int32) async throws -> CampaignDeclaration?
    /// Returns at most `limit` campaigns, ordered by identifier, those after a given one.
    func campaigns(
        ofApp id: Int32, after start: String?, includingArchived: Bool, limit: Int
    ) async throws -> [CampaignDeclaration]
}

/// Keeps the sends that apps' servers declare.
package protocol SendStore: Sendable {
    /// Stores all sends durably and returns how many are new. A send whose id is known changes nothing.
    ///
    /// Throws a `DeclarationError`, and stores none, if they exceed a limit.
    func declare(_ sends: [DeclaredSend], appID: Int32) async throws -> Int
}

/// The identifiers that putting a set of categories changed, left unchanged or retired.
package struct CategoryChange: Sendable, Equatable {
    /// The changed categories, each with the version that is now in effect.
    package var changed: [(identifier: String, version: Int32)] = []
    package var unchanged: [String] = []
    package var retired: [String] = []

    package init() {}

    package static func == (one: CategoryChange, other: CategoryChange) -> Bool {
        one.changed.elementsEqual(other.changed, by: ==) && one.unchanged == other.unchanged
            && one.retired == other.retired
    }
}
