import Hummingbird

/// The page that asks for a key. It needs no scripts: the server inserts the error and the path to continue to.
struct LoginPage: Sendable {
    /// The reason why a sign-in failed, as the page's style sheet names it.
    enum Failure: String {
        /// The key is unknown or revoked.
        case key
        /// The key's scope doesn't allow reading.
        case scope
        /// The address sent too many unknown keys.
        case rate
        /// The sign-in address was used before, or has expired.
        case token
        /// The database is unavailable.
        case unavailable
    }

    private let template: String

    /// Creates the page from its text with placeholders.
    init(_ template: String) {
        self.template = template
    }

    func response(
        to request: Request, _ status: HTTPResponse.Status = .ok, failure: Failure? = nil, next: LocalPath? = nil
    ) -> Response {
        let html =
            template
            .replacing("{{error}}", with: failure?.rawValue ?? "")
            .replacing("{{next}}", with: Self.attribute(next?.text ?? ""))
        return Asset(name: "login.html", bytes: Array(html.utf8)).page(to: request, status: status)
    }

    /// Escapes a text for use between the quotes of an attribute.
    private static func attribute(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
    }
}

/// The form that the login page posts (application/x-www-form-urlencoded).
struct LoginForm {
    private(set) var key = ""
    private(set) var next = ""

    /// Parses a form. Unknown and invalid fields are ignored, and the last of repeated fields counts.
    init(_ body: [UInt8]) {
        for field in FormFields(body).fields {
            guard let value = field.value else { continue }
            switch field.name {
            // Copied keys often come with surrounding spaces.
            case "key": key = value.filter { !$0.isWhitespace }
            case "next": next = value
            default: continue
            }
        }
    }
}

/// A path of the dashboard to continue to after signing in, which never leads to another site.
struct LocalPath: Sendable, Equatable {
    static let root = LocalPath(trusted: "/")
    static let login = LocalPath(trusted: "/login")

    let text: String

    private init(trusted text: String) {
        self.text = text
    }

    /// Accepts only a path, with or without a query, that every browser resolves to the same origin.
    ///
    /// Browsers read `//host` and `/\host` as another host, and ignore tabs and line feeds.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= 2_048, bytes.dropFirst().first != UInt8(ascii: "/"),
            bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return nil }
        self.text = text
    }
}
