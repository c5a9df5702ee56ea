package import HTTPTypes

extension HTTPField.Name {
    /// X-Request-Id
    package static let requestID = name("X-Request-Id")

    /// Of a browser's question whether it may send.
    static let requestMethod = name("Access-Control-Request-Method")
    /// Which pages may load something, where a page says that it loads only what allows it.
    static let resourcePolicy = name("Cross-Origin-Resource-Policy")
    static let forwardedFor = name("X-Forwarded-For")
    /// How many rows a report was cut to.
    static let truncatedRows = name("X-Truncated-Rows")

    /// Where a browser's request comes from, as the browser sees it.
    static let fetchSite = name("Sec-Fetch-Site")
    static let referrerPolicy = name("Referrer-Policy")
    static let forwardedProtocol = name("X-Forwarded-Proto")
    /// Asks a proxy to pass on each piece of an answer as it comes.
    static let proxyBuffering = name("X-Accel-Buffering")

    /// Parses a name that is known to be valid.
    private static func name(_ text: String) -> HTTPField.Name {
        HTTPField.Name(text) ?? .server
    }
}
