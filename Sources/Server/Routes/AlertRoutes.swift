import AfterpushWire
import Alerts
import Events
import Executors
import Foundation
import Hummingbird
import Ingest
import JSON
package import Reports

/// Serves `/v1/alerts`: the rules of an app with their states and history, and where alerts go.
///
/// The addresses of destinations can be secrets, so only keys of scope manage see all of them.
struct AlertRoutes: Sendable {
    let authentication: Authentication
    let store: AlertStore
    let catalogue: ReportCatalogue
    let body: JSONBody
    /// The limit on lists and rules with their states that are read or being sent, each of which can take some MiB.
    let limiter: FairShareLimiter

    func add(to router: Router<CollectorContext>) {
        router.get("v1/alerts") { request, context in
            try await self.read(request, context) { grant in try await self.list(grant) }
        }
        router.put("v1/alerts") { request, context in
            let admission = try await self.authentication.admit(request, context, anyOf: [.manage])
            let settings = try await self.body.withBody(of: request, context, from: admission.client) { text in
                try AlertSettings(text)
            }
            try await self.store.put(settings, app: admission.grant.appID)
            return Response.json(JSONText.object(settings.members(isRedacted: false)))
        }
        router.get("v1/alerts/:name") { request, context in
            try await self.read(request, context) { grant in
                let name = try Self.name(context)
                guard let alert = try await self.store.alerts(app: grant.appID, only: name).first else {
                    throw Self.unknown
                }
                return alert.json(self.catalogue, isRedacted: !grant.scope.allows(.manage))
            }
        }
        router.put("v1/alerts/:name") { request, context in
            let admission = try await self.authentication.admit(request, context, anyOf: [.manage])
            let name = try Self.name(context)
            let rule = try await self.body.withBody(of: request, context, from: admission.client) { text in
                let rule = try AlertRule(text, name: name)
                try rule.check(self.catalogue)
                return rule
            }
            try await self.store.put(rule, app: admission.grant.appID)
            return Response.json(rule.json(isRedacted: false))
        }
        router.delete("v1/alerts/:name") { request, context in
            let admission = try await self.authentication.admit(request, context, anyOf: [.manage])
            guard try await self.store.delete(try Self.name(context), app: admission.grant.appID) else {
                throw Self.unknown
            }
            return Response(status: .noContent)
        }
    }

    /// Answers with what `json` reads, within the shares of the client.
    private func read(
        _ request: Request, _ context: CollectorContext,
        _ json: @escaping @Sendable (APIKeyGrant) async throws -> String
    ) async throws -> Response {
        let grant = try await authentication.reader(request, context)
        let permit = try limiter.acquire(
            for: authentication.client(grant, request, context), orThrow: .alertListsTooMany)
        // Some thousand states keep a processor busy for a while.
        let text = try await withTaskExecutorPreference(BusyExecutor.shared) { try await json(grant) }
        return Response.jsonHead.sending(text, holding: permit, context)
    }

    private func list(_ grant: APIKeyGrant) async throws -> String {
        let isRedacted = !grant.scope.allows(.manage)
        let alerts = try await store.alerts(app: grant.appID)
        let history = try await store.history(app: grant.appID)
        let disabled = try await store.disabledDestinations(app: grant.appID)
        return JSONText.object(
            try await store.settings(app: grant.appID).members(isRedacted: isRedacted) + [
                ("disabled", JSONText.array(disabled.map { $0.json(isRedacted: isRedacted) })),
                ("alerts", JSONText.array(alerts.map { $0.json(catalogue, isRedacted: isRedacted) })),
                ("history", JSONText.array(history.map(\.json))),
            ])
    }

    private static let unknown = Problem(.notFound, "not_found", "no alert has this name")

    private static func name(_ context: CollectorContext) throws -> String {
        guard let name = PathText.decode(try context.parameters.require("name")) else {
            throw Problem(.badRequest, "field_invalid", "the alert name in the path is not UTF-8")
        }
        return name
    }
}

extension AlertStore.Alert {
    /// The rule as JSON, in the form of a `PUT`, with what it expects in words, and its states.
    package func json(_ catalogue: ReportCatalogue, isRedacted: Bool) -> String {
        rule.json(
            isRedacted: isRedacted,
            adding: [
                ("expects", JSONText.string(rule.expectation(catalogue))),
                ("evaluated_at", evaluatedAt.map { JSONText.string($0.description) } ?? "null"),
                ("problem", problem.map(JSONText.string) ?? "null"),
                (
                    "counts",
                    JSONText.object([
                        ("ok", String(counts.ok)), ("pending", String(counts.pending)),
                        ("firing", String(counts.firing)),
                    ])
                ),
                ("states", JSONText.array(states.map(\.json))),
            ])
    }
}

extension AlertRecord {
    fileprivate var json: String {
        JSONText.object([
            ("series", series), ("state", JSONText.string(state.phase.rawValue)),
            ("since", JSONText.string(state.since.description)), ("description", JSONText.string(description)),
        ])
    }
}

extension AlertStore.PastChange {
    fileprivate var json: String {
        JSONText.object([
            ("id", JSONText.string(change.id.uuidString.lowercased())), ("alert", JSONText.string(alert)),
            ("series", change.series), ("from", JSONText.string(change.from.rawValue)),
            ("to", JSONText.string(change.to.rawValue)), ("at", JSONText.string(change.at.description)),
            ("description", JSONText.string(change.description)), ("delivered", String(delivered)),
            ("waiting", String(waiting)), ("failed", String(failed)),
        ])
    }
}
