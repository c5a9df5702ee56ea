import AfterpushWire
import Dialects
import Events
import Hummingbird
import Ingest
import NIOCore

/// Serves `/v1/dialects`, what other systems' names map to, and `/v1/mappings`, what an app adds to that.
struct MappingRoutes: Sendable {
    let authentication: Authentication
    let store: any DialectConfigurationStore
    let body: JSONBody

    func add(to router: Router<CollectorContext>) {
        router.get("v1/dialects") { request, context in
            _ = try await self.authentication.reader(request, context, anyOf: Scope.allCases)
            return Response.json(DialectCatalog.json)
        }
        router.get("v1/mappings") { request, context in
            let grant = try await self.authentication.reader(request, context)
            return Response.json(try await self.store.dialectConfiguration(app: grant.appID).json)
        }
        router.put("v1/mappings") { request, context in
            let admission = try await self.authentication.admit(request, context, anyOf: [.manage])
            let configuration = try await self.body.withBody(of: request, context, from: admission.client) { text in
                do throws(DialectConfigurationError) {
                    return try DialectConfiguration(text)
                } catch {
                    throw Problem(.badRequest, "mappings_invalid", error.description)
                }
            }
            try await self.store.put(configuration, app: admission.grant.appID)
            return Response.json(configuration.json)
        }
    }
}
