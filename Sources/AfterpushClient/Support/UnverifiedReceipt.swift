import Foundation

/// The claims of a receipt, without a check of its signature. The collector verifies it.
struct UnverifiedReceipt: Equatable {
    let notificationID: String
    let deviceID: String?

    private struct Claims: Decodable {
        let jti: String
        let sub: String?
    }

    /// Decodes a receipt. Returns nil if it isn't a JSON Web Token or has no `jti`.
    init?(_ receipt: String) {
        let parts = receipt.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var base64 = String(decoding: parts[1], as: UTF8.self)
            .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let json = Data(base64Encoded: base64), let claims = try? JSONDecoder().decode(Claims.self, from: json),
            !claims.jti.isEmpty
        else { return nil }
        notificationID = claims.jti
        deviceID = claims.sub.flatMap { $0.isEmpty ? nil : $0 }
    }
}
