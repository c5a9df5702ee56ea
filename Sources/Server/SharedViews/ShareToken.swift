import Ingest

/// The tokens in links that share a view.
package enum ShareToken {
    /// What each token begins with, which tells it from a key.
    static let prefix = "ap_view_"

    /// Returns a new token, of 32 random bytes.
    package static func make() -> String { prefix + RandomToken.make() }

    /// The link with a token, for a collector at an address such as `https://push.example.com`.
    ///
    /// The token is in the fragment, which browsers send to no server: it is in no log, and no preview of the link uses
    /// it.
    package static func link(_ token: String, at address: String) -> String {
        (address.hasSuffix("/") ? String(address.dropLast()) : address) + "/shared#" + token
    }
}
