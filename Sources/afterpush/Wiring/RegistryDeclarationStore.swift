import AfterpushWire
import Declarations
import Server
import Storage

/// Declarations of apps as the registry keeps them.
struct RegistryDeclarationStore: DeclarationStore {
    let registry: Registry

    func put(_ categories: CategorySet, ofApp name: String) async throws -> PutCategories {
        let change = try await registry.putCategories(categories, app: try await registry.app(named: name), at: .now)
        return PutCategories(changed: change.changed, unchanged: change.unchanged, retired: change.retired)
    }

    func categories(ofApp name: String) async throws -> [(declaration: CategoryDeclaration, version: Int32)] {
        try await registry.categories(app: try await registry.app(named: name))
    }

    func put(_ campaign: CampaignDeclaration, ofApp name: String) async throws {
        try await registry.putCampaign(campaign, app: try await registry.app(named: name))
    }

    func campaigns(ofApp name: String, only identifier: String?) async throws -> [CampaignDeclaration] {
        try await registry.campaigns(app: try await registry.app(named: name), only: identifier)
    }
}
