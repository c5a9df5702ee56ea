import AfterpushWire
import Declarations
import Events
import Hummingbird

/// Serves `POST /v1/provider-results`: stores a push provider's responses as events of sent and failed notifications.
struct ProviderResultRoutes: Sendable {
    let events: EventRoutes
    let body: JSONBody

    func add(to router: Router<CollectorContext>) {
        router.post("v1/provider-results") { request, context in
            let receivedAt = self.events.clock()
            let admission = try await self.events.authentication.admit(request, context, anyOf: [.send])
            let events = try await self.body.withBody(of: request, context, from: admission.client) { text in
                try ProviderResult.events(text)
            }
            // The failure comes first, so that the response is about the result itself.
            if let lostTokens = events.lostTokens {
                _ = try await self.events.store(lostTokens, as: .json, admission, receivedAt, context.logger)
            }
            return try await self.events.store(events.results, as: .json, admission, receivedAt, context.logger)
        }
    }
}
