import Crypto
import Events
import Foundation

/// Names of devices as other systems state them.
package enum DeviceName {
    /// Returns the name under which a device is stored, or `nil` if the text is empty.
    ///
    /// An e-mail address is personal data, and a push token can be longer than a name may be. Both are replaced by
    /// `sha256:` and the hash of the text in hexadecimal digits, that of an address in lower case.
    package static func stored(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        if isAddress(text) { return hash(text.trimmingCharacters(in: .whitespaces).lowercased()) }
        return text.utf8.count > Limits().identifierBytes ? hash(text) : text
    }

    /// Whether a text is an e-mail address, by its form.
    package static func isAddress(_ text: String) -> Bool {
        var utf8 = text
        guard utf8.withUTF8({ $0.contains(UInt8(ascii: "@")) }) else { return false }
        let parts = text.trimmingCharacters(in: .whitespaces).split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let name = parts.first, let host = parts.last else { return false }
        let isPlain = !text.trimmingCharacters(in: .whitespaces).contains { $0 == " " || $0 == "/" || $0 == ":" }
        return isPlain && !name.isEmpty && host.contains(".") && !host.hasPrefix(".") && !host.hasSuffix(".")
    }

    private static func hash(_ text: String) -> String {
        "sha256:" + SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }
}

extension DialectSettings {
    /// Returns the name of an event's device: the first part, in the app's order, that names one.
    package func device(
        id: String? = nil, token: String? = nil, anonymous: String? = nil, user: String? = nil
    ) -> String? {
        for source in deviceOrder {
            let text =
                switch source {
                case .deviceID: id
                case .token: token
                case .anonymousID: anonymous
                case .userID: user
                }
            if let name = DeviceName.stored(text) { return name }
        }
        return nil
    }
}
