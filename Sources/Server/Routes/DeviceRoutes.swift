import AfterpushWire
import Events
import Hummingbird
import Ingest
import JSON
import NIOCore
import Reports

/// Serves `/v1/devices/{device_id}`: the export of everything stored about a device, and its erasure.
struct DeviceRoutes: Sendable {
    let authentication: Authentication
    let store: any DeviceStore
    /// The exports that run at once. They read on the connections of declarations and keys, which have to wait for a page.
    let limiter: FairShareLimiter

    func add(to router: Router<CollectorContext>) {
        router.get("v1/devices/:id") { request, context in
            let (device, grant) = try await self.device(request, context)
            let client = self.authentication.client(grant, request, context)
            let permit = try self.limiter.acquire(for: client, orThrow: .exportsTooMany)
            let export = try await self.store.export(device, appID: grant.appID)
            return Response(
                status: .ok, headers: Self.headers,
                body: ResponseBody { writer in
                    let writer = StreamWriter(writer, on: context.eventLoop)
                    // Each page is written, also one without a row, so the export ends soon after its client has left. A
                    // client that has only closed its side gets all of it.
                    while let piece = try await export.next() {
                        try Task.checkCancellation()
                        try await writer.write(Array(piece.utf8))
                    }
                    try await writer.finish()
                    permit.release()
                })
        }
        router.delete("v1/devices/:id") { request, context in
            let (device, grant) = try await self.device(request, context)
            return Self.answer(.accepted, try await self.store.erase(device, appID: grant.appID), of: device)
        }
        router.get("v1/devices/:id/erasure") { request, context in
            let (device, grant) = try await self.device(request, context)
            guard let job = try await self.store.erasure(device, appID: grant.appID) else { throw Problem.noErasure }
            return Self.answer(.ok, job, of: device)
        }
    }

    private func device(_ request: Request, _ context: CollectorContext) async throws -> (String, APIKeyGrant) {
        let grant = try await authentication.grant(request, context, anyOf: [.manage])
        guard let device = PathText.decode(try context.parameters.require("id")), !device.isEmpty,
            device.utf8.count <= Limits().identifierBytes
        else { throw Problem.deviceInvalid }
        return (device, grant)
    }

    private static let headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]

    private static func answer(_ status: HTTPResponse.Status, _ job: ErasureJob, of device: String) -> Response {
        let notReached = job.notReached.map { place, time in
            JSONText.object([("where", JSONText.string(place)), ("until", JSONText.string(time))])
        }
        let document = JSONText.object([
            ("device_id", JSONText.string(device)),
            ("status", JSONText.string(job.isDone ? "done" : "running")),
            ("done", String(job.isDone)),
            ("requested_at", JSONText.string(job.requestedAt.description)),
            ("finished_at", job.finishedAt.map { JSONText.string($0.description) } ?? "null"),
            (
                "erased",
                JSONText.object([
                    ("events", String(job.events)), ("replies", String(job.replies)),
                    ("rejected_events", String(job.rejected)),
                ])
            ),
            ("deliveries_made_anonymous", String(job.deliveries)),
            ("not_reached", JSONText.array(notReached)),
        ])
        var headers = headers
        if status == .accepted { headers[.location] = "/v1/devices/\(PathText.encode(device))/erasure" }
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: document)))
    }
}
