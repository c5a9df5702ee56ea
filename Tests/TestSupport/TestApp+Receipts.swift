package import Events
import Receipts
import Storage

extension TestApp {
    /// The app's receipt secret, as the command prints it.
    package func receiptSecret() async throws -> String {
        Base64URL.encode(try await registry.receiptSecret(of: app))
    }

    /// Receipts with the given claims, each signed with the app's secret.
    package func receipts(_ claims: [ReceiptClaims]) async throws -> [String] {
        let secret = try await ReceiptSecret(registry.receiptSecret(of: app))
        var receipts: [String] = []
        for claims in claims { receipts.append(try await secret.receipt(claims)) }
        return receipts
    }
}
