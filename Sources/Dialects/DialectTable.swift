/// All dialects that are spoken over HTTP. A new one is a folder and a line here.
package enum DialectTable {
    /// All dialects. If several share a path, the first one that claims a request reads it.
    package static let all: [any Dialect.Type] = [
        PostHogEvents.self, PostHogSideCalls.self, PostHogSubscriptions.self,
        AmplitudeEvents.self, MixpanelEvents.self, CountlyEvents.self, CountlySideCalls.self,
        SegmentEvents.self, SegmentSettings.self, SegmentPixel.self,
        CloudEvents.self,
        OpenTelemetryLogs.self, OpenTelemetryOtherSignals.self,
        SnowplowEvents.self,
        OneSignalStream.self, OneSignalWeb.self,
        BrazeEvents.self,
        CustomerIOWebhook.self, CustomerIOTrack.self,
        IterableEvents.self,
        NativeHook.self,
        UnknownHook.self,
    ]

    /// The routes of all dialects, each once.
    package static let routes: [DialectRoute] = {
        var seen: Set<DialectRoute> = []
        return all.flatMap { $0.routes }.filter { seen.insert($0).inserted }
    }()

    private static let fixedPaths = Set(routes.filter { !$0.isVariable }.map(\.path))
    private static let variableRoutes = routes.filter(\.isVariable)

    /// Returns the dialect of a request, and its route; `nil` if no dialect is spoken at its path.
    package static func find(_ request: DialectRequest) -> (dialect: any Dialect.Type, route: DialectRoute)? {
        for dialect in all {
            guard let route = route(of: dialect, request) else { continue }
            if request.family != nil || dialect.claims(request) { return (dialect, route) }
        }
        return nil
    }

    /// Returns the first dialect at a request's path, for a request whose body is not known yet.
    package static func first(_ request: DialectRequest) -> (dialect: any Dialect.Type, route: DialectRoute)? {
        for dialect in all {
            if let route = route(of: dialect, request) { return (dialect, route) }
        }
        return nil
    }

    /// Returns the route of a dialect for a request, unless the request's path names another family.
    private static func route(of dialect: any Dialect.Type, _ request: DialectRequest) -> DialectRoute? {
        guard request.family == nil || request.family == dialect.family else { return nil }
        return dialect.routes.first { $0.method == request.method && $0.matches(request.path) }
    }

    /// Whether a path, without a slash at its end, is of a dialect, with any method.
    package static func hasPath(_ path: String) -> Bool {
        let (family, path) = DialectRequest.parts(of: path)
        // Each request asks this.
        guard let family else { return fixedPaths.contains(path) || variableRoutes.contains { $0.matches(path) } }
        return all.contains { $0.family == family && $0.routes.contains { $0.matches(path) } }
    }
}
