import HTTPTypes
import Hummingbird
import NIOCore

/// A tag of a response's content, by which a client asks whether it has changed.
struct EntityTag {
    private let text: String

    /// Wraps the text of a tag.
    ///
    /// - Parameter text: the tag with its quotes, and with `W/` before them if it is weak.
    init(_ text: String) {
        self.text = text
    }

    /// Whether an If-None-Match header names the tag, by weak comparison (RFC 9110, 13.1.2).
    func isNamed(by header: String?) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").contains { part in
            let part = part.drop { $0 == " " }.prefix { $0 != " " }
            return part == "*" || Self.opaque(part) == Self.opaque(text[...])
        }
    }

    var headerValue: String { text }

    private static func opaque(_ tag: Substring) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
    }
}

extension Response {
    /// Returns the text, which no browser or proxy may keep.
    static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    /// A response with JSON that no browser or proxy may keep, without its body.
    static var jsonHead: Response {
        Response(status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"])
    }

    /// Returns a response with JSON without its body, or 304 if the request names its tag.
    static func jsonHead(tag: EntityTag, for request: Request) -> Response {
        let headers: HTTPFields = [
            .eTag: tag.headerValue, .cacheControl: "private, no-cache", .vary: "Authorization, Cookie",
        ]
        if tag.isNamed(by: request.headers[.ifNoneMatch]) { return Response(status: .notModified, headers: headers) }
        var response = Response.jsonHead
        for field in headers { response.headers[field.name] = field.value }
        return response
    }
}
