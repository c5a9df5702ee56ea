import HTTPTypes
import Hummingbird
import Synchronization

/// Answers 405 with the header `Allow` where a path exists and the request's method is another one.
final class AllowedMethods: Sendable {
    private struct Route {
        let segments: [String]
        let method: HTTPRequest.Method
    }

    private let routes = Mutex<[Route]>([])

    /// Takes the routes of a router, after all have been added.
    func learn(_ descriptions: [Router<CollectorContext>.RouteDescription]) {
        let learned = descriptions.map { Route(segments: Self.segments($0.path.description), method: $0.method) }
        routes.withLock { $0 = learned }
    }

    /// Throws the problem of a request that no route takes if a route of its path takes other methods.
    func check(_ request: Request) throws(Problem) {
        let methods = methods(for: request.uri.path)
        guard !methods.isEmpty, !methods.contains(request.method.rawValue) else { return }
        var problem = Problem.methodNotAllowed
        problem.headers[.allow] = methods.joined(separator: ", ")
        throw problem
    }

    /// The methods of all routes that match a path, in alphabetical order.
    private func methods(for path: String) -> [String] {
        let segments = Self.segments(path)
        let routes = routes.withLock(\.self)
        var methods = Set(routes.filter { Self.matches($0.segments, segments) }.map(\.method.rawValue))
        if methods.contains("GET") { methods.insert("HEAD") }
        return methods.sorted()
    }

    private static func segments(_ path: String) -> [String] {
        path.split(separator: "/").map(String.init)
    }

    /// Whether a pattern matches: a segment with a colon, braces or an asterisk matches any text.
    private static func matches(_ pattern: [String], _ segments: [String]) -> Bool {
        if pattern.last == "**" { return segments.starts(with: pattern.dropLast(), by: { same($1, $0) }) }
        return pattern.count == segments.count && zip(pattern, segments).allSatisfy(same)
    }

    private static func same(_ pattern: String, _ segment: String) -> Bool {
        pattern == segment || pattern.hasPrefix(":") || pattern.contains("{") || pattern.contains("*")
    }
}
