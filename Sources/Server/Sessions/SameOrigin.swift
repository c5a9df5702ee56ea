import HTTPTypes

/// Whether a request that changes something comes from a page of this server.
///
/// Browsers say where a request comes from, and pages can't change what they say: in `Sec-Fetch-Site`, else, over plain
/// HTTP or in old ones, in `Origin`. What says neither is no browser, and holds no session that it was not given.
enum SameOrigin {
    /// - Parameter authority: host and port that the request was sent to.
    static func holds(_ headers: HTTPFields, authority: String?) -> Bool {
        if let site = headers[.fetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = headers[.origin] else { return true }
        guard let authority, let separator = origin.firstRange(of: "://") else { return false }
        return origin[separator.upperBound...].lowercased() == authority.lowercased()
    }
}
