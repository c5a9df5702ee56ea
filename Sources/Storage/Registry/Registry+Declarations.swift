import AfterpushWire
package import Declarations
import Foundation

extension Registry: DeclarationStore {
    package func put(_ categories: CategorySet, ofApp id: Int32) async throws -> CategoryChange {
        try await putCategories(categories, app: try await app(id), at: Self.now)
    }

    package func categories(ofApp id: Int32) async throws -> [(declaration: CategoryDeclaration, version: Int32)] {
        try await categories(app: try await app(id), inForceAt: Self.now)
    }

    package func put(_ campaign: CampaignDeclaration, ofApp id: Int32) async throws {
        try await putCampaign(campaign, app: try await app(id))
        onCampaignPut()
    }

    package func campaign(_ identifier: String, ofApp id: Int32) async throws -> CampaignDeclaration? {
        try await campaigns(app: try await app(id), only: identifier).first
    }

    package func campaigns(
        ofApp id: Int32, after start: String?, includingArchived: Bool, limit: Int
    ) async throws -> [CampaignDeclaration] {
        try await campaigns(
            app: try await app(id), after: start, includingArchived: includingArchived, limit: limit)
    }

    private static var now: Timestamp {
        Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
    }
}
