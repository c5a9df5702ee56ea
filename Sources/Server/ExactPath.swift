import Dialects
import Hummingbird

/// Serves every resource at one spelling of its path only.
///
/// The router ignores empty segments, so `//v1//reports` and `/v1/reports/` would match as well, and a rule of a proxy
/// in front that names `/v1/reports` would not hold for them. Over HTTP/2, a path could even be a whole URL.
enum ExactPath {
    /// Whether a request's path is the only spelling of it.
    static func isStated(by request: Request) -> Bool {
        let path = request.uri.path
        return request.head.path?.hasPrefix("/") == true && (isExact(path) || isDialect(path))
    }

    /// Whether a path is that of another system's clients with a slash at its end, as some of them write it. They get no
    /// redirect, because some would take one for success.
    static func isDialect(_ path: String) -> Bool {
        path.hasSuffix("/") && isExact(String(path.dropLast())) && DialectTable.hasPath(String(path.dropLast()))
    }

    /// Whether a path is `/`, or begins with a slash, ends without one, and has no two in a row.
    static func isExact(_ path: String) -> Bool {
        let slash = UInt8(ascii: "/")
        guard path.utf8.first == slash, path.utf8.last != slash else { return path == "/" }
        var last: UInt8?
        for byte in path.utf8 {
            if byte == slash, last == slash { return false }
            last = byte
        }
        return true
    }
}
