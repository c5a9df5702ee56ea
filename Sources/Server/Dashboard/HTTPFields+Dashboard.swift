import HTTPTypes

extension HTTPFields {
    /// What all of the dashboard is sent with: scripts and styles come from files of this server alone, so that nothing
    /// that devices send could run, were it taken for markup.
    static let dashboard: HTTPFields = [
        .contentSecurityPolicy: [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
            "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; "),
        .xContentTypeOptions: "nosniff",
        // Not no-referrer: then a form would be posted with the origin null.
        .referrerPolicy: "same-origin",
    ]
}
