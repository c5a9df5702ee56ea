import AfterpushWire
package import Declarations
import Foundation

extension Registry: DeclarationStore {
    package func put(_ categories: CategorySet, ofApp name: String) async throws -> CategoryChange {
        try await putCategories(categories, app: try await app(named: name), at: Self.now)
    }

    package func categories(ofApp name: String) async throws -> [(declaration: CategoryDeclaration, version: Int32)] {
        try await categories(app: try await app(named: name), inForceAt: Self.now)
    }

    package func put(_ campaign: CampaignDeclaration, ofApp name: String) async throws {
        try await putCampaign(campaign, app: try await app(named: name))
        onCampaignPut()
    }

    package func campaigns(ofApp name: String, only identifier: String?) async throws -> [CampaignDeclaration] {
        try await campaigns(app: try await app(named: name), only: identifier)
    }

    private static var now: Timestamp {
        Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
    }
}
