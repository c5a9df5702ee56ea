import AfterpushWire
import Crypto
package import Foundation

/// Makes receipts as a provider's server does that has the app's secret: JSON web tokens, signed with HS256.
///
/// The collector would make them, too; these are the same each time, so that a plan's events are.
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

    /// - Parameters:
    ///   - app: its name.
    ///   - secret: its receipt secret.
    package init(app: String, secret: Data) {
        self.app = app
        key = SymmetricKey(data: secret)
    }

    /// - Parameter secret: in base64url, as `afterpush apps secret` prints it; nil if it is not that.
    package init?(app: String, secret: String) {
        var base64 = secret.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: base64), !bytes.isEmpty else { return nil }
        self.init(app: app, secret: bytes)
    }

    /// The receipt of a delivery, issued when it was sent.
    func receipt(of story: DeliveryStory) -> String? {
        receipt(of: story, issuedAt: story.send.time, expiresAt: nil)
    }

    func receipt(of story: DeliveryStory, issuedAt: Timestamp, expiresAt: Timestamp?) -> String? {
        let claims = Claims(
            iss: app, jti: story.notificationID, sub: story.device.id, iat: issuedAt.microseconds / 1_000_000,
            exp: expiresAt.map { $0.microseconds / 1_000_000 }, cmp: story.campaign.id, cat: story.campaign.category,
            var: story.variant.id)
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
