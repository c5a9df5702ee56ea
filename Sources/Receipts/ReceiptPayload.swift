import AfterpushWire
import Events
import JWTKit

/// The claims of a receipt as JWTKit encodes them.
struct ReceiptPayload: JWTPayload {
    let iss: String
    let jti: String
    let sub: String?
    let iat: Int64
    let exp: Int64
    let cmp: String?
    let cat: String?
    let ver: Int32?
    let `var`: String?

    init(_ claims: ReceiptClaims) {
        iss = claims.app
        jti = claims.notificationID
        sub = claims.deviceID
        iat = claims.issuedAt.microseconds / 1_000_000
        exp = claims.expiresAt.microseconds / 1_000_000
        cmp = claims.campaignID
        cat = claims.categoryID
        ver = claims.categoryVersion
        `var` = claims.variant
    }

    /// Does nothing: JWTKit would compare `exp` with now, but the time of the event decides.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

extension ReceiptClaims {
    /// Reads the claims of a payload and ignores unknown ones.
    ///
    /// - Parameter latest: The latest time for `iat` and `nbf`.
    init(payload: [UInt8], latest: Timestamp) throws(ReceiptError) {
        let members = try ReceiptObject(payload)
        guard let app = try members.text("iss"), let notificationID = try members.text("jti"),
            let issuedAt = try members.time("iat"), max(issuedAt, try members.time("nbf") ?? issuedAt) <= latest
        else { throw .invalid }
        self.init(
            app: app, notificationID: notificationID, deviceID: try members.text("sub"), issuedAt: issuedAt,
            expiresAt: try members.time("exp") ?? ReceiptLifetime.end(of: issuedAt),
            campaignID: try members.text("cmp"), categoryID: try members.text("cat"),
            categoryVersion: try members.integer("ver"), variant: try members.text("var"))
    }
}
