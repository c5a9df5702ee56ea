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
