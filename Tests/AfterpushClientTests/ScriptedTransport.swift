import AfterpushWire
import Foundation
import Zlib

@testable import AfterpushClient

/// A collector that responds by a script and records what it received.
final class ScriptedTransport: EventTransport {
    struct NoResponse: Error {}

    enum Reply {
        case accept
        case status(Int, headers: [String: String] = [:])
        case text(Int, String)
        case problem(Int)
        case nothing
    }

    struct Post {
        let request: TransportRequest
        let sentAt: Timestamp?
        let events: [IngestEvent]
    }

    private let script: @Sendable (_ post: Post, _ number: Int) -> Reply
    private let received = Locked<[Post]>([])

    var posts: [Post] { received.withLock { $0 } }

    /// The ids of the events that were acknowledged.
    var acknowledged: [UUID] { acknowledgedEvents.withLock { $0 } }
    private let acknowledgedEvents = Locked<[UUID]>([])

    init(_ script: @escaping @Sendable (_ post: Post, _ number: Int) -> Reply = { _, _ in .accept }) {
        self.script = script
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let body = try JSONDecoder().decode(IngestRequest.self, from: Self.decompressed(request))
        let post = Post(request: request, sentAt: body.sentAt, events: body.events)
        let number = received.withLock { received in
            received.append(post)
            return received.count
        }
        switch script(post, number) {
        case .accept:
            acknowledgedEvents.withLock { $0 += body.events.map(\.eventID) }
            let response = IngestResponse(
                accepted: body.events.count, duplicates: 0, rejected: [], durability: .committed)
            return TransportResponse(status: 200, body: try JSONEncoder().encode(response))
        case .status(let status, let headers): return TransportResponse(status: status, headers: headers)
        case .text(let status, let text): return TransportResponse(status: status, body: Data(text.utf8))
        case .problem(let status): return .problem(status)
        case .nothing: throw NoResponse()
        }
    }

    static func events(in request: TransportRequest) throws -> [IngestEvent] {
        try JSONDecoder().decode(IngestRequest.self, from: decompressed(request)).events
    }

    private static func decompressed(_ request: TransportRequest) throws -> Data {
        let body = request.body ?? Data()
        guard request.headers["Content-Encoding"] == "gzip" else { return body }
        let inflater = Inflater(.gzip, limit: 8 << 20)
        try Array(body).withUnsafeBytes { try inflater.write($0) }
        return Data(try inflater.finish())
    }
}

extension TransportResponse {
    /// A problem document of the collector, or one that differs.
    static func problem(
        _ status: Int, type: String? = "application/problem+json", body: String? = nil
    ) -> TransportResponse {
        let document = """
            {"type":"about:blank","title":"Bad Request","status":\(status),"code":"body_malformed","detail":"x",\
            "request_id":"4e978989d0bb0fac2038da0de83c15c"}
            """
        return TransportResponse(
            status: status, headers: type.map { ["content-type": $0] } ?? [:], body: Data((body ?? document).utf8))
    }
}
