package import HTTPTypes

extension HTTPField.Name {
    package static let requestID = name("X-Request-Id")

    /// The header that marks a CORS preflight request.
    static let requestMethod = name("Access-Control-Request-Method")
    /// The headers that a CORS preflight request asks for.
    static let requestHeaders = name("Access-Control-Request-Headers")
    /// The header that permits other origins to load a response, for pages that load only what permits it.
    static let resourcePolicy = name("Cross-Origin-Resource-Policy")
    static let forwardedFor = name("X-Forwarded-For")
    static let host = name("Host")
    /// The number of rows to which a report was truncated.
    static let truncatedRows = name("X-Truncated-Rows")

    /// The relation between the site that sends a request and this server, as the browser reports it.
    static let fetchSite = name("Sec-Fetch-Site")
    /// `prefetch` for a request that a browser makes before anybody asks for the page.
    static let fetchPurpose = name("Sec-Purpose")
    static let referrerPolicy = name("Referrer-Policy")
    static let forwardedProtocol = name("X-Forwarded-Proto")
    /// The header that asks a proxy not to buffer a response.
    static let proxyBuffering = name("X-Accel-Buffering")

    static let webhookOrigin = name("WebHook-Request-Origin")
    static let webhookRate = name("WebHook-Request-Rate")
    static let webhookAllowedOrigin = name("WebHook-Allowed-Origin")
    static let webhookAllowedRate = name("WebHook-Allowed-Rate")

    /// Parses a name that is known to be valid.
    private static func name(_ text: String) -> HTTPField.Name {
        HTTPField.Name(text) ?? .server
    }
}
