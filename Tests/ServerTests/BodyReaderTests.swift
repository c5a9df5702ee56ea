import Events
import Foundation
import HTTPTypes
import Hummingbird
import Ingest
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPTransport
@testable import Server

struct BodyReaderTests {
    /// A brace, 998 blanks and a brace, as a member of gzip (RFC 1952, 2.2).
    private static let member = "H4sIAAAAAAACA6tWGAWjYBQMc1ALANNkTYzoAwAA"

    private static let client = ResourceClient(
        APIKeyGrant(keyID: 1, appID: 1, appName: "", scope: .ingest), address: ClientAddress(v4: 1))

    /// Reads a body of members, and returns its size.
    private static func size(members: Int, _ reader: BodyReader, _ headers: HTTPFields) async throws -> Int {
        let member = try #require(Data(base64Encoded: member))
        let bytes = repeatElement(member, count: members).joined()
        let request = Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/", headerFields: headers),
            body: RequestBody(buffer: ByteBuffer(bytes: bytes)))
        let context = CollectorContext(
            source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test")))
        return try await reader.withBody(of: request, context, from: client) { $0.count }
    }

    @Test(arguments: [true, false])
    func `a small compressed body is read at once, and the rest of a large one in its client's turn`(
        isStated: Bool
    ) async throws {
        let turns = ProcessorTurns(count: 1)
        let reader = BodyReader(
            limit: 1 << 20, memory: BodyMemory(HTTPLimits()), turns: turns, findsGzip: !isStated)
        let headers: HTTPFields = isStated ? [.contentEncoding: "gzip"] : [:]
        try await withThrowingTaskGroup(of: Bool.self) { group in
            // Holds the only place until another body waits.
            group.addTask {
                await turns.run(for: Self.client) {
                    while turns.waiting == 0, !Task.isCancelled {}
                    return turns.waiting > 0
                }
            }
            while turns.free > 0 { await Task.yield() }
            let small = try await Self.size(members: 1, reader, headers)
            #expect(small == 1_000)
            #expect(turns.free == 0, "the small body waited")
            let large = try await Self.size(members: 100, reader, headers)
            #expect(large == 100_000)
            group.cancelAll()
            let hasWaited = try await group.next()
            #expect(hasWaited == true, "the large body did not wait")
        }
    }
}
