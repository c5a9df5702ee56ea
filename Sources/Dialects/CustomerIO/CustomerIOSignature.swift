import AfterpushWire
import Crypto
import Foundation
import JSON

/// The signature of Customer.io's reporting webhooks.
enum CustomerIOSignature {
    /// The time that a webhook may be on its way, and that clocks may differ, in microseconds.
    private static let tolerance: Int64 = 300_000_000

    /// Checks the hexadecimal HMAC-SHA-256 of `v0:`, the time of sending, a colon and the body.
    static func verify(
        _ request: DialectRequest, secret: String, receivedAt: Timestamp
    ) throws(DialectError) {
        guard let time = request.headers["x-cio-timestamp"], let signature = request.headers["x-cio-signature"] else {
            throw .signature("the header X-CIO-Signature or X-CIO-Timestamp is missing")
        }
        guard let code = HexText.bytes(signature),
            HMAC<SHA256>.isValidAuthenticationCode(
                code, authenticating: Data("v0:\(time):".utf8) + request.body,
                using: SymmetricKey(data: Data(secret.utf8)))
        else { throw .signature("X-CIO-Signature does not match the body") }
        // A time that is signed is a number of seconds, unless the sender is no Customer.io.
        guard let seconds = Int64(time), (0...Timestamp.latest.microseconds / 1_000_000).contains(seconds),
            abs(receivedAt.microseconds - seconds * 1_000_000) <= tolerance
        else { throw .signature("X-CIO-Timestamp differs from the collector's clock by more than 300 seconds") }
    }
}
