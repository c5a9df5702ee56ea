package import AfterpushWire
package import Events

/// A verifier that accepts the receipt `good` and returns its claims.
package struct StubVerifier: ReceiptVerifier {
    package var claims: ReceiptClaims

    package init(_ change: (inout ReceiptClaims) -> Void = { _ in }) {
        claims = ReceiptClaims(
            app: "shop", notificationID: "note", deviceID: "device",
            issuedAt: Timestamp(microseconds: 1_795_000_000_000_000),
            expiresAt: Timestamp(microseconds: 1_797_000_000_000_000))
        change(&claims)
    }

    package func verify(_ receipt: String, at time: Timestamp) throws(ReceiptError) -> ReceiptClaims {
        guard receipt == "good" else { throw .invalid }
        guard time < claims.expiresAt else { throw .expired }
        return claims
    }
}
