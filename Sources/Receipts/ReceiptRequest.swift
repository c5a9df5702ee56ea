package import AfterpushWire
package import Declarations
package import Events

/// A request for receipts: the body of `POST /v1/receipts`.
package struct ReceiptRequest: Sendable {
    /// The claims of each receipt, in the order of the request.
    package let claims: [ReceiptClaims]

    /// Reads the body of a request.
    ///
    /// - Parameters:
    ///   - app: the app's name.
    ///   - now: the time at which the receipts are issued.
    package init(_ body: [UInt8], app: String, at now: Timestamp) throws(DeclarationError) {
        var claims: [ReceiptClaims] = []
        for (index, entry) in try DeclarationList<Entry>(body).entries.enumerated() {
            claims.append(try entry.claims(EntryFields(Entry.listName, index), app, now))
        }
        self.claims = claims
    }

    /// Signs the receipts.
    package func receipts(
        signedBy secret: ReceiptSecret, limits: Limits = Limits()
    ) async throws -> [String] {
        var receipts: [String] = []
        receipts.reserveCapacity(claims.count)
        for (index, claims) in claims.enumerated() {
            let receipt = try await secret.receipt(claims)
            // Only identifiers that consist mostly of JSON escapes get here.
            guard receipt.utf8.count <= limits.receiptBytes else {
                throw DeclarationError(
                    .entry(.fieldTooLong),
                    "\(EntryFields(Entry.listName, index).place) would be longer than \(limits.receiptBytes) bytes")
            }
            receipts.append(receipt)
        }
        return receipts
    }
}

extension ReceiptRequest {
    private struct Entry: DeclarationEntry {
        static let listName = "receipts"
        static let limit = 1_000

        let notificationID: String?
        let deviceID: String?
        let campaignID: String?
        let categoryID: String?
        let categoryVersion: Double?
        let variant: String?
        let expiresIn: Double?

        enum CodingKeys: String, CodingKey {
            case notificationID = "notification_id"
            case deviceID = "device_id"
            case campaignID = "campaign_id"
            case categoryID = "category_id"
            case categoryVersion = "category_version"
            case variant
            case expiresIn = "expires_in"
        }

        func claims(
            _ fields: EntryFields, _ app: String, _ now: Timestamp
        ) throws(DeclarationError) -> ReceiptClaims {
            let longest = ReceiptLifetime.longestValidity.components.seconds
            let seconds = try fields.number("expires_in", expiresIn, in: 1...longest)
            return ReceiptClaims(
                app: app,
                notificationID: try fields.required("notification_id", notificationID),
                deviceID: try fields.identifier("device_id", deviceID),
                issuedAt: now,
                expiresAt: ReceiptLifetime.end(
                    of: now, after: seconds.map { .seconds($0) } ?? ReceiptLifetime.validity),
                campaignID: try fields.identifier("campaign_id", campaignID),
                categoryID: try fields.identifier("category_id", categoryID),
                categoryVersion: try fields.version("category_version", categoryVersion),
                variant: try fields.identifier("variant", variant))
        }
    }
}
