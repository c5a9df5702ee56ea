import AfterpushWire
import Crypto
package import Foundation

/// A signer of receipts (JSON Web Tokens with HS256), such as a provider's server that has the app's secret.
///
/// The collector could also issue them, but these are always the same, so the same plan produces the same events.
package struct ReceiptSigner: Sendable {
    private let app: String
    private let key: SymmetricKey

    private struct Claims: Encodable {
        let iss: String
        let jti: String
        let sub: String
        let iat: Int64
        let exp: Int64?
        let cmp: String
        let cat: String
        let `var`: String
    }

    /// Creates a signer.
    ///
    /// - Parameters:
    ///   - app: The name of the app.
    ///   - secret: The app's receipt secret.
    package init(app: String, secret: Data) {
        self.app = app
        key = SymmetricKey(data: secret)
    }

    /// Creates a signer from a secret in base64url, as `afterpush apps secret` prints it. Returns nil if it isn't valid.
    package init?(app: String, secret: String) {
        var base64 = secret.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: base64), !bytes.isEmpty else { return nil }
        self.init(app: app, secret: bytes)
    }

    /// Returns the receipt of a delivery, issued when it was sent.
    func receipt(of delivery: SimulatedDelivery) -> String? {
        receipt(of: delivery, issuedAt: delivery.send.time, expiresAt: nil)
    }

    func receipt(of delivery: SimulatedDelivery, issuedAt: Timestamp, expiresAt: Timestamp?) -> String? {
        let claims = Claims(
            iss: app, jti: delivery.notificationID, sub: delivery.device.id, iat: issuedAt.microseconds / 1_000_000,
            exp: expiresAt.map { $0.microseconds / 1_000_000 }, cmp: delivery.campaign.id,
            cat: delivery.campaign.category, var: delivery.variant.id)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let payload = try? encoder.encode(claims) else { return nil }
        let signed = Self.text(Data(#"{"alg":"HS256","typ":"JWT"}"#.utf8)) + "." + Self.text(payload)
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)
        return signed + "." + Self.text(Data(code))
    }

    private static func text(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
