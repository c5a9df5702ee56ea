import AfterpushWire
import CZlib
import Foundation

@testable import AfterpushClient

/// A collector that responds by a script and records what it received.
final class ScriptedTransport: EventTransport {
    struct NoAnswer: Error {}

    enum Answer {
        case take
        case status(Int, headers: [String: String] = [:])
        case text(Int, String)
        case nothing
    }

    struct Post {
        let request: TransportRequest
        let sentAt: Timestamp?
        let events: [IngestEvent]
    }

    private let script: @Sendable (_ post: Post, _ number: Int) -> Answer
    private let received = Locked<[Post]>([])

    var posts: [Post] { received.withLock { $0 } }

    /// The ids of the events that were acknowledged.
    var taken: [UUID] { takenEvents.withLock { $0 } }
    private let takenEvents = Locked<[UUID]>([])

    init(_ script: @escaping @Sendable (_ post: Post, _ number: Int) -> Answer = { _, _ in .take }) {
        self.script = script
    }

    func answer(to request: TransportRequest) async throws -> TransportResponse {
        let body = try JSONDecoder().decode(IngestRequest.self, from: Self.plain(request))
        let post = Post(request: request, sentAt: body.sentAt, events: body.events)
        let number = received.withLock { received in
            received.append(post)
            return received.count
        }
        switch script(post, number) {
        case .take:
            takenEvents.withLock { $0 += body.events.map(\.eventID) }
            let answer = IngestResponse(
                accepted: body.events.count, duplicates: 0, rejected: [], durability: .committed)
            return TransportResponse(status: 200, body: try JSONEncoder().encode(answer))
        case .status(let status, let headers): return TransportResponse(status: status, headers: headers)
        case .text(let status, let text): return TransportResponse(status: status, body: Data(text.utf8))
        case .nothing: throw NoAnswer()
        }
    }

    private static func plain(_ request: TransportRequest) throws -> Data {
        let body = request.body ?? Data()
        guard request.headers["Content-Encoding"] == "gzip" else { return body }
        var stream = z_stream()
        guard afterpush_inflate_init(&stream, MAX_WBITS + 16) == Z_OK else { throw NoAnswer() }
        defer { inflateEnd(&stream) }
        var input = Array(body)
        var output = [UInt8](repeating: 0, count: 8 << 20)
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { throw NoAnswer() }
        return Data(output[..<Int(stream.total_out)])
    }
}
