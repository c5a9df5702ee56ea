import AfterpushWire
import Events

extension ReceiptClaims {
    /// The claims of a payload. Those that are unknown here are passed over.
    init(payload: [UInt8]) throws(ReceiptError) {
        let members = try ReceiptObject(payload)
        guard let app = try members.text("iss"), let notificationID = try members.text("jti"),
            let issuedAt = try members.time("iat")
        else { throw .invalid }
        self.init(
            app: app, notificationID: notificationID, deviceID: try members.text("sub"), issuedAt: issuedAt,
            expiresAt: try members.time("exp") ?? ReceiptLifetime.end(of: issuedAt),
            campaignID: try members.text("cmp"), categoryID: try members.text("cat"),
            categoryVersion: try members.integer("ver"), variant: try members.text("var"))
    }
}
