/// Braze Currents with a custom HTTP connector: batches of up to 100 events.
package enum BrazeEvents: Dialect {
    package static let family = DialectFamily.braze
    package static let routes = [DialectRoute("POST", "/v1/hooks/braze")]

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody { try .hook(request) }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        body.read { BrazeEventReader($1, index: $0, settings).read(into: &$2) }
    }
}
