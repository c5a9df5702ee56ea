import AfterpushWire
import Dialects
import Events
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
    private let configurations: DialectConfigurationCache
    private let counter: DialectCounter
    private let metrics: ServerMetrics
    private let limits: HTTPLimits

    init(
        events: EventRoutes, bodies: BodyReader, configurations: DialectConfigurationCache, counter: DialectCounter,
        metrics: ServerMetrics, limits: HTTPLimits
    ) {
        self.configurations = configurations
        self.counter = counter
        self.metrics = metrics
        self.events = events
        self.bodies = bodies
        var limits = limits
        limits.bodyBytes = bodies.limit
        self.limits = limits
    }

    func add(to router: Router<CollectorContext>) {
        for route in Set(DialectTable.routes.map { Place(method: $0.method, path: $0.path) }) {
            router.on(RouterPath(route.path), method: .init(rawValue: route.method) ?? .post) { request, context in
                await self.answer(request, context)
            }
        }
    }

    /// A method and path, whatever their requests carry.
    private struct Place: Hashable {
        let method: String
        let path: String
    }

    /// Answers a request in the form of its dialect, or as a problem if it is of none.
    func answer(_ request: Request, _ context: CollectorContext) async -> Response {
        let foreign = DialectRequest(request)
        guard let (dialect, route) = DialectTable.find(foreign) ?? DialectTable.first(foreign) else {
            return Self.response(.refusal(DialectRefusal(Problem(HTTPError(.notFound), limits: limits))))
        }
        do {
            return try await answer(request, context, foreign, dialect, route)
        } catch {
            return refuse(error, foreign, dialect, context)
        }
    }

    private func answer(
        _ request: Request, _ context: CollectorContext, _ foreign: DialectRequest, _ dialect: any Dialect.Type,
        _ route: DialectRoute
    ) async throws -> Response {
        let receivedAt = events.clock()
        if route.purpose == .sideCall {
            return Self.response(dialect.answer(DialectOutcome(received: 0, receivedAt: receivedAt), to: foreign))
        }
        // A key in the headers is checked before the body is read. One in the body costs its address the memory.
        var admission: AuthenticatedRequest?
        if let key = DialectKeys.inHeaders(foreign.headers) {
            admission = try await events.authentication.admit(key: key, request, context, anyOf: [.ingest, .send])
        }
        let client = admission?.client ?? events.authentication.client(nil, request, context)
        return try await bodies.withBody(of: request, context, from: client) { body in
            var foreign = foreign
            foreign.body = body
            // Who shares a path may be known by the body only.
            let dialect = DialectTable.find(foreign)?.dialect ?? dialect
            do {
                return try await store(foreign, dialect, admission, receivedAt, request, context)
            } catch {
                return refuse(error, foreign, dialect, context)
            }
        }
    }

    private func store(
        _ foreign: DialectRequest, _ dialect: any Dialect.Type, _ admitted: AuthenticatedRequest?,
        _ receivedAt: Timestamp, _ request: Request, _ context: CollectorContext
    ) async throws -> Response {
        let body = try dialect.parse(foreign)
        let admission: AuthenticatedRequest
        if let admitted {
            admission = admitted
        } else {
            guard let key = try DialectKeys.inBody(body) ?? DialectKeys.inQuery(foreign) else {
                throw Problem.unauthorized
            }
            admission = try await events.authentication.admit(key: key, request, context, anyOf: [.ingest, .send])
        }
        let configuration = await configurations.configuration(ofApp: admission.grant.appID)
        var submission = dialect.read(body, foreign, configuration.settings(receivedAt: receivedAt))
        if !admission.grant.scope.allows(.send) { submission.ignoreSends() }
        var outcome = DialectOutcome(
            received: body.events.count, ignored: submission.ignored.count, bytes: foreign.body.count,
            receivedAt: receivedAt)
        if submission.events.isEmpty {
            events.rates.charge(body.events.count, admission.grant, from: admission.address)
            count(submission, dialect.family, admission.grant, [])
        } else {
            let native = submission.body(dialect.family, admission.grant.eventIDKey)
            let stored = try await events.submit(native, as: .json, admission, receivedAt, context.logger)
            count(submission, dialect.family, admission.grant, stored.rejections)
            outcome.accepted = stored.accepted
            outcome.duplicates = stored.duplicates
            outcome.rejected = stored.rejections.map { rejection in
                DialectOutcome.Rejection(
                    index: submission.events[rejection.index].index, code: rejection.code.rawValue,
                    detail: rejection.detail)
            }
        }
        return Self.response(dialect.answer(outcome, to: foreign))
    }

    private func count(
        _ submission: DialectSubmission, _ family: DialectFamily, _ grant: APIKeyGrant, _ rejections: [Rejection]
    ) {
        let rejected = Dictionary(rejections.map { ($0.index, $0.code.rawValue) }) { first, _ in first }
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
    /// The size of a body of another system's client: four times that of a native one, by default 20 MiB, but no more than
    /// half of the memory for bodies. Such clients collect larger batches, with more in each event.
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
        self.init(request.method.rawValue, request.dialectPath, query: query, headers: headers)
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
        case .signature(let detail): self.init(.unauthorized, "signature_invalid", detail)
        }
    }
}
