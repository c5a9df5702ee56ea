import Receipts

/// 32 random bytes as base64url: not guessable.
enum RandomToken {
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
