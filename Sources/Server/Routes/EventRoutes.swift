import AfterpushWire
import Events
import Foundation
import HTTPTransport
import Hummingbird
import Ingest
import JSON
import Logging
import NIOCore
import Receipts
import Reports
import Shares

/// Serves `POST /v1/events`: reads the events, validates them, stores them, and then responds.
struct EventRoutes: Sendable {
    let authentication: Authentication
    let rates: RateLimiter
    let committer: GroupCommitter
    let receipts: ReceiptSecretCache
    let suppressionList: @Sendable () -> SuppressionList
    let clock: @Sendable () -> Timestamp
    let bodies: BodyReader
    /// The turns of clients to have a large body read.
    let turns: ProcessorTurns
    let refusals: EventRefusals
    /// The events that wait or are being stored. A key's share is three quarters.
    private let places = FairShareLimiter.events(
        GroupCommitPolicy().places, key: GroupCommitPolicy().places / 4 * 3, largest: Limits().events, small: 100)
    /// The shares of the spool, or `nil` without a spool.
    let spool: SpoolShares?

    /// Adds the route.
    ///
    /// - Parameter dialects: answers requests that carry CloudEvents, whose senders often can't choose the path.
    func add(to router: Router<CollectorContext>, _ dialects: DialectRoutes) {
        router.post("v1/events") { request, context in
            if let response = await dialects.answerCloudEvent(request, context) { return response }
            return try await self.post(request, context)
        }
    }

    private func post(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let receivedAt = clock()
        let admission = try await authentication.admit(request, context, anyOf: [.ingest, .send])
        let format = try BodyFormat(contentType: request.headers.value(of: .contentType))
        return try await bodies.withBody(of: request, context, from: admission.client) { body in
            try await store(body, as: format, admission, receivedAt, context.logger)
        }
    }

    /// Stores the valid events of a body, and responds once they are durable.
    func store(
        _ body: [UInt8], as format: BodyFormat, _ admission: AuthenticatedRequest, _ receivedAt: Timestamp,
        _ logger: Logger
    ) async throws -> Response {
        Self.answer(try await submit(body, as: format, admission, receivedAt, logger))
    }

    /// Stores the valid events of a body, and returns what became of them once they are durable.
    func submit(
        _ body: [UInt8], as format: BodyFormat, _ admission: AuthenticatedRequest, _ receivedAt: Timestamp,
        _ logger: Logger
    ) async throws -> SubmissionOutcome {
        let submission = try await turns.read(body.count, for: admission.client) { () throws(BodyError) in
            try Submission.read(body, as: format)
        }
        rates.charge(submission.count, admission.grant, from: admission.address)
        let permit = places.permit(for: admission.client)
        defer { permit.release() }
        do throws(FairShareLimiter.Shares.Refusal) {
            try permit.take(submission.count)
        } catch {
            refusals.record(.queue, error, admission.client, logger)
            throw Problem.eventsTooMany.explained(by: error)
        }
        let validation = try await validationContext(for: submission, admission.grant, receivedAt)
        let pending = await turns.read(body.count, for: admission.client) { PendingSubmission(submission, validation) }
        let room: FairShareLimiter.Permit?
        do throws(FairShareLimiter.Shares.Refusal) {
            room = try spool?.reserve(pending, for: admission.client)
        } catch {
            refusals.record(.spool, error, admission.client, logger)
            throw Problem.eventsTooMany.explained(by: error)
        }
        let outcome = try await committer.submit(pending)
        if outcome.durability == .spooled { spool?.keep(room, pending, for: admission.client) }
        return outcome
    }

    private func validationContext(
        for submission: Submission, _ grant: APIKeyGrant, _ receivedAt: Timestamp
    ) async throws -> ValidationContext {
        var context = ValidationContext(
            appID: grant.appID, scope: grant.scope, receivedAt: receivedAt, requiresReceipt: grant.requiresReceipt)
        context.suppressionList = suppressionList()
        if submission.statesReceipts {
            context.verifier = RequestReceiptVerifier(
                app: grant.appName, secrets: try await receipts.secrets(ofApp: grant.appID), receivedAt: receivedAt)
        }
        return context
    }

    /// Returns the response, with 422 if all events were rejected, so that senders that check only the status notice.
    private static func answer(_ outcome: SubmissionOutcome) -> Response {
        let allRejected = !outcome.rejections.isEmpty && outcome.accepted + outcome.duplicates == 0
        return Response(
            status: allRejected ? .unprocessableContent : outcome.durability == .spooled ? .accepted : .ok,
            headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(string: Self.document(outcome))))
    }

    /// Writes the document by hand, so that its keys keep the order of the contract.
    private static func document(_ outcome: SubmissionOutcome) -> String {
        JSONText.object([
            ("accepted", String(outcome.accepted)),
            ("duplicates", String(outcome.duplicates)),
            ("rejected", JSONText.array(outcome.rejections.map(document))),
            ("durability", JSONText.string(outcome.durability.rawValue)),
        ])
    }

    private static func document(_ rejection: Rejection) -> String {
        JSONText.object([
            ("index", String(rejection.index)),
            ("event_id", rejection.eventID.map(JSONText.string) ?? "null"),
            ("code", JSONText.string(rejection.code.rawValue)),
            ("detail", JSONText.string(rejection.detail)),
        ])
    }
}
