import Hummingbird

/// The cookie that contains a browser's session token. Scripts can't read it, and browsers don't send it with what
/// pages of other sites load or post.
enum SessionCookie {
    static let name = "afterpush_session"

    /// Returns the token of a request, or `nil` if it has none.
    static func token(of request: Request) -> String? {
        request.cookies[name].flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// Returns the header that sets the cookie.
    ///
    /// - Parameter isSecure: whether the browser uses TLS, in which case it sends the cookie only over TLS.
    static func setting(_ token: String, for lifetime: Duration, isSecure: Bool) -> String {
        field(token, seconds: lifetime.components.seconds, isSecure)
    }

    /// Returns the header that removes the cookie.
    static func removing(isSecure: Bool) -> String {
        field("", seconds: 0, isSecure)
    }

    private static func field(_ token: String, seconds: Int64, _ isSecure: Bool) -> String {
        "\(name)=\(token); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }
}
