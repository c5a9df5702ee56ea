package import Events
import Foundation
import JWTKit

/// A secret of an app, ready to sign and to verify with. Its bytes can't be had back, nor printed.
package struct ReceiptSecret: Sendable {
    private let keys: JWTKeyCollection
    private let algorithm: any JWTAlgorithm

    /// - Parameter bytes: 32 of them.
    package init(_ bytes: [UInt8]) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        keys = await JWTKeyCollection().add(
            hmac: HMACKey(from: bytes), digestAlgorithm: .sha256, serializer: DefaultJWTSerializer(jsonEncoder: encoder)
        )
        algorithm = try await keys.getKey()
    }

    /// The receipt that states the claims.
    package func receipt(_ claims: ReceiptClaims) async throws -> String {
        try await keys.sign(ReceiptPayload(claims))
    }

    /// Whether the signature is this secret's. Takes as long for one that is nearly right as for one that is not:
    /// swift-crypto compares all bytes.
    func hasSigned(_ token: ReceiptToken) -> Bool {
        (try? algorithm.verify(token.signature, signs: token.signed)) ?? false
    }
}

extension ReceiptSecret: CustomStringConvertible, CustomReflectable {
    package var description: String { "a receipt secret" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
