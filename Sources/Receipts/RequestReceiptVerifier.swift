package import AfterpushWire
package import Events
import Synchronization

/// Verifies the receipts of one request, each once: the events of a delivery share theirs.
package final class RequestReceiptVerifier: ReceiptVerifier {
    private let app: String
    private let secrets: [ReceiptSecret]
    private let latestIssue: Timestamp
    /// By the receipt's bytes: Swift's own equality would take some texts for others.
    private let known = Mutex<[[UInt8]: Result<ReceiptClaims, ReceiptError>]>([:])

    /// - Parameters:
    ///   - app: the app's name, which receipts have as `iss`.
    ///   - secrets: those that receipts of the app may be signed with.
    ///   - receivedAt: the collector's clock when the request arrived.
    package init(app: String, secrets: [ReceiptSecret], receivedAt: Timestamp, limits: Limits = Limits()) {
        self.app = app
        self.secrets = secrets
        latestIssue = Timestamp(microseconds: receivedAt.microseconds + limits.futureMicroseconds)
    }

    package func verify(_ receipt: String, at time: Timestamp) throws(ReceiptError) -> ReceiptClaims {
        let bytes = Array(receipt.utf8)
        let result = known.withLock { known in
            if let before = known[bytes] { return before }
            let now = self.result(of: bytes)
            known[bytes] = now
            return now
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

    /// What the receipt claims, if it is this app's; when it ends is for each event to see.
    private func claims(of receipt: [UInt8]) throws(ReceiptError) -> ReceiptClaims {
        let token = try ReceiptToken(receipt)
        guard secrets.contains(where: { $0.hasSigned(token) }) else { throw .invalid }
        // Nothing of the payload is looked at before its signature.
        let claims = try ReceiptClaims(payload: token.payload)
        guard claims.app.isSame(as: app), claims.issuedAt <= latestIssue else { throw .invalid }
        return claims
    }
}
