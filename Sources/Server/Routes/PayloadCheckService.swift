package import AfterpushWire
package import Declarations
import Foundation
package import Receipts

/// Checks payloads against what their app has declared, and signs the receipts that are added to them.
package struct PayloadCheckService: Sendable {
    private let declarations: any DeclarationStore
    private let receiptSecrets: ReceiptSecretCache
    private let clock: @Sendable () -> Timestamp

    package init(
        declarations: any DeclarationStore, receiptSecrets: ReceiptSecretCache,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.declarations = declarations
        self.receiptSecrets = receiptSecrets
        self.clock = clock
    }

    package func check(
        _ payload: PushPayload, _ request: PayloadCheckRequest, appID: Int32, appName: String, requiresReceipt: Bool
    ) async throws -> PayloadCheckResponse {
        let names = PayloadNames(payload, request)
        let secrets = try await receiptSecrets.secrets(ofApp: appID)
        let now = clock()
        var context = PayloadCheckContext(
            app: appName, verifier: RequestReceiptVerifier(app: appName, secrets: secrets, receivedAt: now), now: now,
            newID: UUID().uuidString)
        context.requiresReceipt = requiresReceipt
        if let category = names.category {
            context.category = try await declarations.categories(ofApp: appID).first {
                $0.declaration.identifier.utf8.elementsEqual(category.utf8)
            }
        }
        if let campaign = names.campaign {
            context.campaign = try await declarations.campaign(campaign, ofApp: appID)
        }
        let check = PayloadCheck(payload, names, context)
        guard let claims = check.receipt else { return check.answer(receipt: nil) }
        guard let secret = secrets.first else { throw Problem.noReceiptSecret }
        return check.answer(receipt: try await secret.receipt(claims))
    }
}
