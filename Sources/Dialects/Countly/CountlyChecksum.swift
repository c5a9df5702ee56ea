import Crypto
import Foundation

/// The checksum that Countly's clients add to a request if they have the app's salt.
enum CountlyChecksum {
    /// Checks `checksum256` or `checksum`: the SHA-256 or SHA-1 of all other parameters as they were sent, and the salt.
    ///
    /// Only the query or the body is covered, so parameters must not be in both.
    static func verify(_ request: DialectRequest, salt: String) throws(DialectError) {
        guard request.rawQuery.isEmpty || request.body.isEmpty else {
            throw .signature("parameters are both in the query and in the body, and the checksum covers one of them")
        }
        let parameters = CountlyParameters.all(request)
        for name in ["checksum256", "checksum"] {
            guard let stated = parameters.first(where: { $0.name == name })?.value else { continue }
            // Nothing longer is searched for in the text, which may be megabytes.
            guard stated.utf8.count <= 64 else { throw .signature("\(name) does not match the parameters") }
            let text = Data(removing(name, stated, from: text(request)) + Array(salt.utf8))
            let expected =
                name == "checksum256" ? Array(SHA256.hash(data: text)) : Array(Insecure.SHA1.hash(data: text))
            guard let bytes = HexText.bytes(stated), isEqual(bytes, expected) else {
                throw .signature("\(name) does not match the parameters")
            }
            return
        }
        throw .signature("checksum256 is missing")
    }

    /// The parameters as they were sent.
    private static func text(_ request: DialectRequest) -> [UInt8] {
        guard !request.body.isEmpty else { return Array(request.rawQuery.utf8) }
        guard let parts = CountlyParameters.parts(request) else { return request.body }
        return Array(parts.map { "\($0.name)=\($0.value)" }.joined(separator: "&").utf8)
    }

    private static func removing(_ name: String, _ value: String, from text: [UInt8]) -> [UInt8] {
        var text = Data(text)
        for parameter in ["&\(name)=\(value)", "\(name)=\(value)"] {
            if let range = text.range(of: Data(parameter.utf8)) {
                text.removeSubrange(range)
                break
            }
        }
        return Array(text)
    }

    /// Compares without telling by the time taken where the texts differ.
    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && zip(left, right).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
    }
}
