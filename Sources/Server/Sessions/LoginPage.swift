import DashboardFiles
import Hummingbird

/// The page that asks for a key, which works without scripts: what went wrong, and where to go on to, is put into it.
struct LoginPage: Sendable {
    /// Why a sign-in failed, as the page's style sheet names it.
    enum Failure: String {
        /// No such key.
        case key
        /// The key does not read.
        case scope
        /// Too many unknown keys.
        case rate
        /// The address that signs in once was used, or is too old.
        case token
        /// The database does not answer.
        case unavailable
    }

    private let template: String

    init(_ file: DashboardFile) {
        template = String(decoding: file.bytes, as: UTF8.self)
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

    /// A text within the quotes of an attribute.
    private static func attribute(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
    }
}

/// What the login page posts (application/x-www-form-urlencoded).
struct LoginForm {
    private(set) var key = ""
    private(set) var next = ""

    /// Unknown and invalid fields are ignored; the last of repeated fields counts.
    init(_ body: [UInt8]) {
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = Self.text(parts[0]), let value = Self.text(parts[1]) else { continue }
            switch name {
            // Copied keys often come with surrounding spaces.
            case "key": key = value.filter { !$0.isWhitespace }
            case "next": next = value
            default: continue
            }
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        let plain = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return PathText.decode(String(decoding: plain, as: UTF8.self))
    }
}

/// An address within the dashboard, to go on to after signing in: never one of another site.
struct LocalPath: Sendable, Equatable {
    static let root = LocalPath(trusted: "/")
    static let login = LocalPath(trusted: "/login")

    let text: String

    private init(trusted text: String) {
        self.text = text
    }

    /// Nil unless it is a path, with a query if need be, that every browser takes for one of the same origin: they read
    /// `//host` and `/\host` as another host, and pass over tabs and line feeds.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= 2_048, bytes.dropFirst().first != UInt8(ascii: "/"),
            bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return nil }
        self.text = text
    }
}
