import AfterpushClient
import AfterpushWire
import Foundation
import Synchronization
import Zlib

/// A collector in memory that knows two keys and detects duplicates.
final class ScriptedNetwork: EventTransport {
    static let ingestKey = "ap_ingest_x"
    static let sendKey = "ap_send_y"

    struct Post {
        let key: String
        let sentAt: Timestamp?
        let events: [IngestEvent]
    }

    private struct Unreadable: Error {}

    private let script: @Sendable (_ number: Int) -> TransportResponse?
    private let state = Mutex<(posts: [Post], requests: Int, known: Set<UUID>)>(([], 0, []))

    /// The events that were accepted.
    var posts: [Post] { state.withLock { $0.posts } }
    var requests: Int { state.withLock { $0.requests } }

    /// Creates a collector.
    ///
    /// - Parameter script: The response to a request by its number, from 1; nil to accept it.
    init(_ script: @escaping @Sendable (_ number: Int) -> TransportResponse? = { _ in nil }) {
        self.script = script
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let number = state.withLock { state in
            state.requests += 1
            return state.requests
        }
        if let response = script(number) { return response }
        let key = String((request.headers["Authorization"] ?? "").dropFirst("Bearer ".count))
        guard [Self.ingestKey, Self.sendKey].contains(key) else { return Self.refusal(401, "unauthorized") }
        let body = try JSONDecoder().decode(IngestRequest.self, from: Self.decompressed(request))
        let accepted = state.withLock { state in
            state.posts.append(Post(key: key, sentAt: body.sentAt, events: body.events))
            return body.events.count { state.known.insert($0.eventID).inserted }
        }
        let response = IngestResponse(
            accepted: accepted, duplicates: body.events.count - accepted, rejected: [], durability: .committed)
        return TransportResponse(status: 200, body: try JSONEncoder().encode(response))
    }

    static func refusal(_ status: Int, _ code: String, retryAfter: String? = nil) -> TransportResponse {
        TransportResponse(
            status: status, headers: retryAfter.map { ["retry-after": $0] } ?? [:],
            body: Data(#"{"code": "\#(code)", "detail": "come back later"}"#.utf8))
    }

    private static func decompressed(_ request: TransportRequest) throws -> Data {
        let body = request.body ?? Data()
        guard request.headers["Content-Encoding"] == "gzip" else { return body }
        let inflater = Inflater(.gzip, limit: 8 << 20)
        try Array(body).withUnsafeBytes { try inflater.write($0) }
        return Data(try inflater.finish())
    }
}
