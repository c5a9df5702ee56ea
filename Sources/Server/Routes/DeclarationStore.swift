package import Declarations

/// Where an app's categories and campaigns are kept.
package protocol DeclarationStore: Sendable {
    /// Puts the whole set; returns what that changed, by identifier.
    func put(_ categories: CategorySet, ofApp name: String) async throws -> PutCategories
    /// Those in force, each with its version, by identifier.
    func categories(ofApp name: String) async throws -> [(declaration: CategoryDeclaration, version: Int32)]
    func put(_ campaign: CampaignDeclaration, ofApp name: String) async throws
    /// All of them, archived ones too, by identifier; of one identifier if one is given.
    func campaigns(ofApp name: String, only identifier: String?) async throws -> [CampaignDeclaration]
}

/// What putting a set of categories changed.
package struct PutCategories: Sendable {
    /// With the version that is in force from now on.
    let changed: [(identifier: String, version: Int32)]
    let unchanged: [String]
    let retired: [String]

    package init(changed: [(identifier: String, version: Int32)], unchanged: [String], retired: [String]) {
        self.changed = changed
        self.unchanged = unchanged
        self.retired = retired
    }
}
