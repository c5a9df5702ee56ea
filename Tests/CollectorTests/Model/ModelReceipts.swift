import AfterpushWire
import Events
import Foundation
import Receipts
import ReferenceModel
import Storage
import TestSupport

/// The receipts of a scenario, signed and forged.
struct ModelReceipts {
    private var texts: [Identifier: [ModelReceipt: String]] = [:]

    init(_ scenario: Scenario, _ apps: [Identifier: TestApp]) async throws {
        let stranger = try await ReceiptSecret(Array(repeating: 7, count: 32))
        for (name, app) in apps {
            let secret = try await ReceiptSecret(app.registry.receiptSecret(of: app.app))
            var texts: [ModelReceipt: String] = [:]
            for receipt in Set(scenario.posted.filter { $0.app == name }.compactMap(\.receipt)) {
                let signer = receipt.forgery == .strangersSecret ? stranger : secret
                var text = try await signer.receipt(
                    Self.claims(receipt, app: receipt.forgery == .otherApp ? "stranger" : name.text))
                if receipt.forgery == .cutShort { text.removeLast(4) }
                texts[receipt] = text
            }
            self.texts[name] = texts
        }
    }

    func texts(of app: Identifier) -> [ModelReceipt: String] {
        texts[app] ?? [:]
    }

    /// The rejection codes by position.
    static func byPosition(_ codes: [String?]) -> [Int: String] {
        Dictionary(
            uniqueKeysWithValues: codes.enumerated().compactMap { index, code in code.map { (index, $0) } })
    }

    private static func claims(_ receipt: ModelReceipt, app: String) -> ReceiptClaims {
        ReceiptClaims(
            app: app, notificationID: receipt.notificationID.text, deviceID: receipt.deviceID?.text,
            issuedAt: Timestamp(microseconds: Int64(receipt.issuedAt)),
            expiresAt: Timestamp(microseconds: Int64(receipt.expiresAt)), campaignID: receipt.campaign?.text,
            categoryID: receipt.category?.text, categoryVersion: receipt.categoryVersion.map { Int32($0) },
            variant: receipt.variant?.text)
    }
}
