import AfterpushWire
import Foundation
import Hummingbird
import Ingest
import NIOCore
import Reports

/// `POST /v1/events`: read, believe, store, answer; in this order and no other.
struct EventRoutes: Sendable {
    let authentication: Authentication
    let committer: GroupCommitter
    let receipts: ReceiptRing
    let clock: @Sendable () -> Timestamp
    let bodyLimit: Int

    func add(to router: Router<CollectorContext>) {
        router.post("v1/events") { request, context in try await self.post(request) }
    }

    private func post(_ request: Request) async throws -> Response {
        let receivedAt = clock()
        let grant = try await authentication.grant(request, anyOf: [.ingest, .send])
        let format = try Self.format(of: request)
        let submission = try Submission.read(try await Self.body(of: request, limit: bodyLimit), as: format)
        var context = ValidationContext(
            appID: grant.appID, scope: grant.scope, receivedAt: receivedAt, requiresReceipt: grant.requiresReceipt)
        if submission.statesReceipts {
            context.verifier = ReceiptDesk(
                app: grant.appName, secrets: try await receipts.secrets(ofApp: grant.appID), receivedAt: receivedAt)
        }
        let outcome = try await committer.submit(PendingSubmission(submission, context))
        return Self.answer(outcome, of: submission.count)
    }

    static func body(of request: Request, limit: Int) async throws -> [UInt8] {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw Problem.bodyTooLarge(limit)
        }
        let buffer = try await request.body.collect(upTo: limit)
        return Array(buffer.readableBytesView)
    }

    static func format(of request: Request) throws -> BodyFormat {
        guard ["identity", nil].contains(request.headers[.contentEncoding]?.lowercased()) else {
            throw Problem.unsupportedMediaType
        }
        let type = request.headers[.contentType].map { $0.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces) }
        switch type?.lowercased() {
        case nil, "", "application/json", "text/plain", "application/x-www-form-urlencoded": return .json
        case "application/x-ndjson", "application/ndjson", "application/jsonl": return .ndjson
        default: throw Problem.unsupportedMediaType
        }
    }

    /// 422 when nothing of it was taken, so that a sender that looks at the status alone sees that it is wrong.
    private static func answer(_ outcome: SubmissionOutcome, of count: Int) -> Response {
        let allRejected = count > 0 && outcome.rejections.count == count
        return Response(
            status: allRejected ? .unprocessableContent : .ok,
            headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(string: Self.document(outcome))))
    }

    /// By hand, so that keys keep the order of the contract.
    private static func document(_ outcome: SubmissionOutcome) -> String {
        JSONText.object([
            ("accepted", String(outcome.accepted)),
            ("duplicates", String(outcome.duplicates)),
            ("rejected", JSONText.array(outcome.rejections.map(document))),
            ("durability", JSONText.string(Durability.committed.rawValue)),
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
