import AfterpushWire
import Dialects
import Events
import Executors
import HTTPTransport
import HTTPTypes
import Hummingbird
import Ingest
import Instruments
import Logging
import NIOCore

/// Serves the paths at which clients of other systems post.
///
/// A request is read by the dialect of its path, and its events take the same way as native ones. The response is the one
/// that the client expects: status 200 once all events are durable, ignored or rejected.
struct DialectRoutes: Sendable {
    let events: EventRoutes
    /// Reads bodies of up to the size that such clients send.
    let bodies: BodyReader
    /// Reads bodies of clients that anyone could be: only as much as is the share of their address in the memory for
    /// bodies, because a larger one could never be read.
    private let smallBodies: BodyReader
    /// The turns of clients that anyone could be to have a small body read.
    private let smallTurns = ProcessorTurns(count: 1, executor: BusyExecutor(threads: 1))
    private let configurations: DialectConfigurationCache
    private let counter: DialectCounter
    private let metrics: ServerMetrics
    private let arrivals: ArrivalTimes
    private let limits: HTTPLimits

    init(
        events: EventRoutes, bodies: BodyReader, configurations: DialectConfigurationCache, counter: DialectCounter,
        arrivals: any ArrivalStore, metrics: ServerMetrics, limits: HTTPLimits
    ) {
        self.arrivals = ArrivalTimes(store: arrivals)
        self.configurations = configurations
        self.counter = counter
        self.metrics = metrics
        self.events = events
        self.bodies = bodies
        smallBodies = bodies.limited(to: max(limits.bodyBytes, limits.bodyMemory / 8))
        var limits = limits
        limits.bodyBytes = bodies.limit
        self.limits = limits
    }

    func add(to router: Router<CollectorContext>) {
        let places = Set(DialectTable.routes.map { Place(method: $0.method, path: $0.path) })
        let prefixed = Set(places.map { Place(method: $0.method, path: "/in/{dialect}/**") })
        for place in places.union(prefixed) {
            router.on(RouterPath(place.path), method: .init(rawValue: place.method) ?? .post) { request, context in
                await self.answer(request, context)
            }
        }
        addWebhookValidation(to: router)
    }

    /// Adds the check by which senders of CloudEvents ask whether they may post here (HTTP 1.1 Web Hooks for Event
    /// Delivery).
    private func addWebhookValidation(to router: Router<CollectorContext>) {
        for path in ["v1/events", "v1/cloudevents"] {
            router.on(RouterPath(path), method: .options) { request, _ in
                guard let origin = request.headers[.webhookOrigin] else { throw HTTPError(.methodNotAllowed) }
                var response = Response(status: .ok, headers: [.allow: "POST", .webhookAllowedOrigin: origin])
                if request.headers[.webhookRate] != nil { response.headers[.webhookAllowedRate] = "*" }
                return response
            }
        }
    }

    /// A method and path, whatever their requests carry.
    private struct Place: Hashable {
        let method: String
        let path: String
    }

    /// Answers a request at the path of native events if it carries CloudEvents; otherwise returns `nil`.
    func answerCloudEvent(_ request: Request, _ context: CollectorContext) async -> Response? {
        // Most requests are native, so what would only be needed for others is not made for them.
        let type = request.headers.value(of: .contentType)
        let isLikely =
            type != "application/json" && type?.lowercased().contains("cloudevents") == true
            || request.headers.contains { $0.name.canonicalName.hasPrefix("ce-") }
        guard isLikely else { return nil }
        let foreign = DialectRequest(request)
        guard CloudEvents.isCloudEvent(foreign) else { return nil }
        return await answer(request, context, foreign, CloudEvents.self)
    }

    /// Answers a request in the form of its dialect, or as a problem if it is of none.
    func answer(_ request: Request, _ context: CollectorContext) async -> Response {
        let foreign = DialectRequest(request)
        guard let (dialect, route) = DialectTable.find(foreign) ?? DialectTable.first(foreign) else {
            return Self.response(.refusal(DialectRefusal(Problem(HTTPError(.notFound), limits: limits))))
        }
        if route.purpose == .sideCall {
            return Self.response(dialect.answer(DialectOutcome(received: 0, receivedAt: events.clock()), to: foreign))
        }
        return await answer(request, context, foreign, dialect)
    }

    private func answer(
        _ request: Request, _ context: CollectorContext, _ foreign: DialectRequest, _ dialect: any Dialect.Type
    ) async -> Response {
        do {
            return try await read(request, context, foreign, dialect)
        } catch {
            return refuse(error, foreign, dialect, context)
        }
    }

    private func read(
        _ request: Request, _ context: CollectorContext, _ foreign: DialectRequest, _ dialect: any Dialect.Type
    ) async throws -> Response {
        let receivedAt = events.clock()
        // A key in the headers is checked before the body is read. One in the body costs its address the memory.
        var admission: AuthenticatedRequest?
        if let key = DialectKeys.inHeaders(foreign.headers) {
            admission = try await events.authentication.admit(key: key, request, context, anyOf: [.ingest, .send])
        }
        let client = admission?.client ?? events.authentication.client(nil, request, context)
        let isUnknown = client.isPublic && client.address != nil
        return try await (isUnknown ? smallBodies : bodies).withBody(of: request, context, from: client) { body in
            var foreign = foreign
            foreign.body = body
            // Who shares a path may be known by the body only.
            let dialect = await inTurn(body.count, client) { [foreign] in
                DialectTable.find(foreign)?.dialect ?? dialect
            }
            do {
                let (parsed, key) = try await inTurn(body.count, client) { [foreign] in
                    let parsed = try dialect.parse(foreign)
                    guard admission == nil else { return (parsed, String?.none) }
                    return (parsed, try DialectKeys.inBody(parsed) ?? DialectKeys.inQuery(foreign))
                }
                let admitted = try await admit(admission, key: key, request, context)
                return try await store(parsed, foreign, dialect, admitted, receivedAt, context)
            } catch {
                // To say what was wrong, some dialects read the body again.
                return await inTurn(body.count, client) { [foreign] in refuse(error, foreign, dialect, context) }
            }
        }
    }

    /// Admits a request with the key of its body or its query, unless the one in its headers has been admitted.
    private func admit(
        _ admission: AuthenticatedRequest?, key: String?, _ request: Request, _ context: CollectorContext
    ) async throws -> AuthenticatedRequest {
        if let admission { return admission }
        guard let key else { throw Problem.unauthorized }
        return try await events.authentication.admit(key: key, request, context, anyOf: [.ingest, .send])
    }

    private func store(
        _ body: ForeignBody, _ foreign: DialectRequest, _ dialect: any Dialect.Type,
        _ admission: AuthenticatedRequest, _ receivedAt: Timestamp, _ context: CollectorContext
    ) async throws -> Response {
        let known = await configurations.configuration(ofApp: admission.grant.appID)
        // Without the app's settings, it isn't known whether the request has to be signed.
        guard known != nil || dialect.signingSecret == nil else { throw Problem.settingsUnknown }
        // Other events are better mapped by the defaults than lost.
        let settings = (known ?? DialectConfiguration()).settings(receivedAt: receivedAt)
        do {
            try await inTurn(foreign.body.count, admission.client) { try dialect.verify(foreign, settings) }
        } catch {
            counter.count(
                admission.grant.appID, dialect.family, refused: body.events.count, reason: DialectError.signatureCode)
            throw error
        }
        let (read, unknown) = await inTurn(foreign.body.count, admission.client) {
            var submission = dialect.read(body, foreign, settings)
            if !admission.grant.scope.allows(.send) { submission.ignoreSends() }
            let unknown = arrivals.keepKnown(of: &submission, dialect.family, admission.grant, receivedAt)
            return (submission, unknown)
        }
        var submission = read
        await arrivals.keepFirst(of: unknown, in: &submission, app: admission.grant.appID)
        var outcome = DialectOutcome(
            received: body.events.count, ignored: submission.ignored.count, bytes: foreign.body.count,
            receivedAt: receivedAt)
        events.rates.charge(submission.ignored.count, admission.grant, from: admission.address)
        var rejected: [Int: String] = [:]
        // Some events become several native ones, so they can be more than a native request holds.
        for start in stride(from: 0, to: submission.events.count, by: Limits().events) {
            let range = start..<min(start + Limits().events, submission.events.count)
            let native = await inTurn(foreign.body.count, admission.client) { [submission] in
                submission.body(dialect.family, admission.grant.eventIDKey, of: range)
            }
            let stored = try await events.submit(native, as: .json, admission, receivedAt, context.logger)
            outcome.accepted += stored.accepted
            outcome.duplicates += stored.duplicates
            for rejection in stored.rejections {
                rejected[start + rejection.index] = rejection.code.rawValue
                outcome.rejected.append(
                    DialectOutcome.Rejection(
                        index: submission.events[start + rejection.index].index, code: rejection.code.rawValue,
                        detail: rejection.detail))
            }
        }
        // Events are counted by their names, and some dialects answer with a verdict for each.
        let answer = await inTurn(foreign.body.count, admission.client) { [submission, outcome, rejected] in
            count(submission, dialect.family, admission.grant, rejected)
            return dialect.answer(outcome, to: foreign)
        }
        return Self.response(answer)
    }

    /// Runs a part of reading a body that takes as long as its sender and its app like.
    private func inTurn<Result, Failure: Error>(
        _ size: Int, _ client: ResourceClient, _ body: () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard client.appID == nil else { return try await events.turns.read(size, for: client, body) }
        // While the key isn't known, anyone could be the sender. So even small bodies wait, but not for large ones.
        let turns = ProcessorTurns.readsAtOnce(size) ? smallTurns : events.turns
        return try await turns.run(for: client, body)
    }

    private func count(
        _ submission: DialectSubmission, _ family: DialectFamily, _ grant: APIKeyGrant, _ rejected: [Int: String]
    ) {
        counter.count(
            grant.appID, family, stored: submission.events, rejected: rejected, ignored: submission.ignored)
        let sums = [
            (submission.events.count - rejected.count, DialectOutcomeLabels.Outcome.mapped),
            (submission.ignored.count, .ignored), (rejected.count, .rejected),
        ]
        for (count, outcome) in sums {
            metrics.dialectEvents.add(count, DialectOutcomeLabels(family: family, outcome: outcome))
        }
    }

    private func refuse(
        _ error: any Error, _ request: DialectRequest, _ dialect: any Dialect.Type, _ context: CollectorContext
    ) -> Response {
        let problem = (error as? DialectError).map(Problem.init) ?? Problem(error, limits: limits)
        if problem.status.code >= 500, !(error is Problem) {
            context.logger.warning("request failed", metadata: ["error": "\(error)", "code": "\(problem.code)"])
        }
        var response = Self.response(dialect.answer(DialectRefusal(problem), to: request))
        for field in problem.headers where field.name != .contentType { response.headers[field.name] = field.value }
        if problem.closesConnection { response.headers[.connection] = "close" }
        return response
    }

    private static func response(_ answer: DialectAnswer) -> Response {
        Response(
            status: .init(code: answer.status), headers: [.contentType: answer.contentType],
            body: .init(byteBuffer: ByteBuffer(bytes: answer.body)))
    }
}

extension HTTPLimits {
    /// The size of a body of another system's client: four times that of a native one, by default 20 MiB, but no more
    /// than half of the memory for bodies. Such clients collect larger batches, with more in each event.
    var dialectBodyBytes: Int { max(bodyBytes, min(4 * bodyBytes, bodyMemory / 2)) }
}

extension DialectRequest {
    /// Takes over all of a request but its body.
    fileprivate init(_ request: Request) {
        let query = FormFields((request.uri.query ?? "").utf8).fields.compactMap { field in
            field.value.map { Parameter(field.name, $0) }
        }
        var headers: [String: String] = [:]
        for field in request.headers where headers[field.name.canonicalName] == nil {
            headers[field.name.canonicalName] = field.value
        }
        self.init(
            request.method.rawValue, request.dialectPath, query: query, rawQuery: request.uri.query ?? "",
            headers: headers)
    }
}

extension Request {
    /// The path without a slash at its end, as dialects compare it.
    var dialectPath: String {
        let path = uri.path
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}

extension DialectRefusal {
    fileprivate init(_ problem: Problem) {
        self.init(
            status: problem.status.code, title: problem.status.reasonPhrase, code: problem.code, detail: problem.detail)
    }
}

extension Problem {
    fileprivate init(_ error: DialectError) {
        switch error {
        case .malformed(let detail): self.init(.badRequest, "body_malformed", detail)
        case .tooManyEvents(let limit):
            self.init(.contentTooLarge, "too_many_events", "a request holds at most \(limit) events")
        case .unsupportedMediaType(let detail): self.init(.unsupportedMediaType, "media_type_unsupported", detail)
        case .signature(let detail): self.init(.unauthorized, DialectError.signatureCode, detail)
        }
    }
}
