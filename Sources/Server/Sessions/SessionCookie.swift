import Hummingbird

/// The cookie by which a browser shows its session. Scripts can't read it, and other sites can't send it along with
/// what they ask for or post.
enum SessionCookie {
    static let name = "afterpush_session"

    /// The token that a request shows.
    static func token(of request: Request) -> String? {
        request.cookies[name].flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// - Parameter isSecure: whether the browser came over TLS; then it comes back by no other way.
    static func setting(_ token: String, for lifetime: Duration, isSecure: Bool) -> String {
        field(token, seconds: lifetime.components.seconds, isSecure)
    }

    static func removing(isSecure: Bool) -> String {
        field("", seconds: 0, isSecure)
    }

    private static func field(_ token: String, seconds: Int64, _ isSecure: Bool) -> String {
        "\(name)=\(token); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }
}
