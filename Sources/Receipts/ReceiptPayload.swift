import AfterpushWire
import Events
import JWTKit

/// The claims as they stand in a receipt that is made here.
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

    /// Nothing: JWTKit would hold `exp` against now, but it is held against when the event happened.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
}
