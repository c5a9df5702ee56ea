package import Events
import Foundation
import JWTKit

/// A secret of an app that signs and verifies receipts. Its bytes can't be read back or printed.
package struct ReceiptSecret: Sendable {
    private let keys: JWTKeyCollection
    private let algorithm: any JWTAlgorithm

    /// Prepares a secret for signing and verifying.
    ///
    /// - Parameter bytes: the 32 bytes of the secret.
    package init(_ bytes: [UInt8]) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        keys = await JWTKeyCollection().add(
            hmac: HMACKey(from: bytes), digestAlgorithm: .sha256, serializer: DefaultJWTSerializer(jsonEncoder: encoder)
        )
        algorithm = try await keys.getKey()
    }

    /// Returns a signed receipt with the claims.
    package func receipt(_ claims: ReceiptClaims) async throws -> String {
        try await keys.sign(ReceiptPayload(claims))
    }

    /// Whether this secret made the signature. The comparison takes constant time: swift-crypto compares all bytes.
    func hasSigned(_ token: ReceiptToken) -> Bool {
        (try? algorithm.verify(token.signature, signs: token.signed)) ?? false
    }
}

extension ReceiptSecret: CustomStringConvertible, CustomReflectable {
    package var description: String { "a receipt secret" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
