package import AfterpushWire
package import Events
import Synchronization

/// Verifies the receipts of one request. Events of a delivery share a receipt, so each is verified once.
package final class RequestReceiptVerifier: ReceiptVerifier {
    private let app: String
    private let secrets: [ReceiptSecret]
    /// The latest time for `iat` and `nbf`, since the clock of the issuer can be fast.
    private let latest: Timestamp
    /// Results by the receipt's bytes, because Swift considers some different texts equal.
    private let known = Mutex<[[UInt8]: Result<ReceiptClaims, ReceiptError>]>([:])

    /// Creates a verifier for one request.
    ///
    /// - Parameters:
    ///   - app: the app's name, the `iss` of its receipts.
    ///   - secrets: the app's secrets; a receipt can be signed with any of them.
    ///   - receivedAt: the time at which the request arrived, by the collector's clock.
    package init(app: String, secrets: [ReceiptSecret], receivedAt: Timestamp, limits: Limits = Limits()) {
        self.app = app
        self.secrets = secrets
        latest = Timestamp(microseconds: receivedAt.microseconds + limits.futureMicroseconds)
    }

    package func verify(_ receipt: String, at time: Timestamp) throws(ReceiptError) -> ReceiptClaims {
        let bytes = Array(receipt.utf8)
        let result = known.withLock { known in
            if let result = known[bytes] { return result }
            let result = self.result(of: bytes)
            known[bytes] = result
            return result
        }
        let claims = try result.get()
        guard time < claims.expiresAt else { throw .expired }
        return claims
    }

    private func result(of receipt: [UInt8]) -> Result<ReceiptClaims, ReceiptError> {
        do throws(ReceiptError) {
            return .success(try claims(of: receipt))
        } catch {
            return .failure(error)
        }
    }

    /// Verifies everything except the expiry, which depends on the time of each event.
    private func claims(of receipt: [UInt8]) throws(ReceiptError) -> ReceiptClaims {
        let token = try ReceiptToken(receipt)
        guard secrets.contains(where: { $0.hasSigned(token) }) else { throw .invalid }
        // The payload is parsed only after its signature is verified.
        let claims = try ReceiptClaims(payload: token.payload, latest: latest)
        guard claims.app.isSame(as: app) else { throw .invalid }
        return claims
    }
}

/// Whether an app's devices need a receipt for events of deliveries.
package enum ReceiptPolicy: String, Sendable, Hashable, CaseIterable {
    case optional
    case required
}
