/// The response at webhooks that don't exist: the names of those that do.
package enum UnknownHook: Dialect {
    package static let family = DialectFamily.onesignal
    package static let routes = [DialectRoute("POST", "/v1/hooks/{name}", .sideCall)]

    /// The names of all webhooks.
    package static var names: [String] {
        DialectTable.routes.map(\.path).filter { $0.hasPrefix(prefix) && !$0.contains("{") }
            .map { String($0.dropFirst(prefix.count)) }.sorted()
    }

    private static let prefix = "/v1/hooks/"

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody { ForeignBody(events: []) }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission { DialectSubmission() }

    package static func answer(_ outcome: DialectOutcome, to request: DialectRequest) -> DialectAnswer {
        .refusal(
            DialectRefusal(
                status: 404, title: "Not Found", code: "hook_unknown",
                detail: "there is no webhook of this name; there are \(names.joined(separator: ", "))"))
    }
}
