import Events

/// The parts of a receipt in the form HEADER.PAYLOAD.SIGNATURE, not yet verified.
///
/// JWTKit's parser is not used: it ignores the header's `alg`, repairs base64 and accepts duplicate members, so that one
/// receipt could be written in many ways.
struct ReceiptToken {
    /// The signed bytes: header and payload as they were sent.
    let signed: [UInt8]
    /// The JSON of the claims.
    let payload: [UInt8]
    let signature: [UInt8]

    init(_ text: [UInt8]) throws(ReceiptError) {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), signature.count == Self.signatureBytes
        else { throw .invalid }
        try Self.check(header)
        signed = Array(text[..<parts[1].endIndex])
        self.payload = payload
        self.signature = signature
    }

    /// The length of a SHA-256 hash.
    private static let signatureBytes = 32

    /// Checks that the header names the only supported algorithm, and no key or extension of its own. A `kid` is ignored,
    /// because all secrets of the app are tried.
    private static func check(_ header: [UInt8]) throws(ReceiptError) {
        let members = try ReceiptObject(header)
        guard let algorithm = try members.text("alg"), algorithm.isSame(as: "HS256"),
            !["jwk", "jku", "x5u", "x5c", "crit"].contains(where: members.has)
        else { throw .invalid }
    }
}
