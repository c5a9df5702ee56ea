import AfterpushWire
import Crypto
import EventSamples
import Foundation
import Receipts

/// Creates valid and invalid receipts without the code under test.
enum ReceiptMaker {
    static let secret = Array("0123456789abcdef0123456789ABCDEF".utf8)
    static let header = #"{"alg":"HS256","typ":"JWT"}"#
    /// Seconds since 1970.
    static let issuedAt = 1_795_000_000
    static let expiresAt = 1_797_000_000

    /// Returns the claims of a valid receipt with changes, whose values are JSON; `nil` omits a claim.
    static func payload(_ changes: [String: String?] = [:]) -> String {
        var claims: [String: String?] = [
            "iss": "\"shop\"", "jti": "\"note\"", "sub": "\"device\"", "iat": "\(issuedAt)", "exp": "\(expiresAt)",
        ]
        claims.merge(changes) { $1 }
        let members = claims.sorted { $0.key < $1.key }.compactMap { name, json in json.map { "\"\(name)\":\($0)" } }
        return "{" + members.joined(separator: ",") + "}"
    }

    static func receipt(
        header: String = header, payload: String = payload(), secret: [UInt8] = secret
    ) -> String {
        signed(base64url(Array(header.utf8)) + "." + base64url(Array(payload.utf8)), secret: secret)
    }

    /// Signs an encoded header and payload, whether they are valid or not.
    static func signed(_ text: String, secret: [UInt8] = secret) -> String {
        let tag = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: secret))
        return text + "." + base64url(Array(tag))
    }

    static func base64url(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// A verifier with the secret of an app called `shop`.
    static func verifier(secrets: [[UInt8]] = [secret], app: String = "shop") async throws -> RequestReceiptVerifier {
        var known: [ReceiptSecret] = []
        for secret in secrets { known.append(try await ReceiptSecret(secret)) }
        return RequestReceiptVerifier(app: app, secrets: known, receivedAt: Sample.receivedAt)
    }

    static func time(_ seconds: Int, microseconds: Int64 = 0) -> Timestamp {
        Timestamp(microseconds: Int64(seconds) * 1_000_000 + microseconds)
    }
}
