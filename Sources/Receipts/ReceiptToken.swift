import Events

/// A receipt in its compact form, HEADER.PAYLOAD.SIGNATURE, taken apart and not yet believed.
///
/// JWTKit's own reading is not used: it takes no notice of the header's `alg`, repairs base64 and takes one of several
/// members of a name, so that one receipt could be written in many ways.
struct ReceiptToken {
    /// What the signature is over: header and payload as they were sent.
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

    /// The length of a SHA-256.
    private static let signatureBytes = 32

    /// The header decides nothing: it must name the one algorithm there is, and no key or rule of its own. A `kid` says
    /// nothing either, since all secrets of the app are tried.
    private static func check(_ header: [UInt8]) throws(ReceiptError) {
        let members = try ReceiptObject(header)
        guard let algorithm = try members.text("alg"), algorithm.isSame(as: "HS256"),
            !["jwk", "jku", "x5u", "x5c", "crit"].contains(where: members.has)
        else { throw .invalid }
    }
}
