import Foundation
import RawHTTP2

/// A way to use up what a collector has.
package enum StarvationAttack: String, Sendable, CaseIterable {
    /// Compressed bodies whose beginnings take all the memory that there is for bodies, but for a kilobyte. Each sends as
    /// little as keeps it alive.
    case unfinishedBodies
    case slowHeaders
    case idleConnections
    /// Hundreds of requests at once on each of many connections, which are dropped and opened again.
    case pipelinedRequests
    /// HTTP/2 streams that request the largest response that needs no key, and that nobody reads.
    case closedWindows
    /// HTTP/2 streams that begin a body.
    case openStreams
    /// HTTP/2 streams that are reset as soon as they are opened.
    case resetStreams
    case unknownKeys
    /// Reports, exports and live streams, which the key can't read.
    case forbiddenReads
    case inventedNames
    case rejectedEvents
    /// Rejected events of nearly the greatest length, with a text of each pair of quotes, in which the collector looks for
    /// the devices that the app has erased.
    case longRejectedEvents
    /// Without a key, bodies of other systems' clients that take long to read and hold no event.
    case slowlyReadBodies
    /// As many events as the rate of the key and the address permits, in large requests.
    case validBatches

    /// Whether it needs HTTP/2, and so TLS.
    package var usesHTTP2: Bool { [.closedWindows, .openStreams, .resetStreams].contains(self) }

    /// How long it takes until everything that it uses up is in use.
    package var rampUp: Duration {
        switch self {
        case .unfinishedBodies: .seconds(7)
        case .slowHeaders, .idleConnections: .seconds(3)
        default: .seconds(1)
        }
    }

    /// How many connections it has at least opened then, if nothing prevents it.
    package var leastConnections: Int {
        switch self {
        case .slowHeaders, .idleConnections: 900
        case .pipelinedRequests: 40
        case .unknownKeys, .forbiddenReads: 50
        case .unfinishedBodies: 28
        case .closedWindows, .openStreams, .resetStreams: 5
        case .inventedNames, .rejectedEvents, .longRejectedEvents, .slowlyReadBodies, .validBatches: 8
        }
    }

    /// Attacks until the task is cancelled.
    func run(_ attacker: Attacker) async throws {
        switch self {
        case .unfinishedBodies: await Self.unfinishedBodies(attacker)
        case .slowHeaders: await Self.slowHeaders(attacker)
        case .idleConnections: await Self.idleConnections(attacker)
        case .pipelinedRequests: await Self.pipelinedRequests(attacker)
        case .closedWindows: await Self.closedWindows(attacker)
        case .openStreams: await Self.openStreams(attacker)
        case .resetStreams: await Self.resetStreams(attacker)
        case .unknownKeys: await Self.unknownKeys(attacker)
        case .forbiddenReads: await Self.forbiddenReads(attacker)
        case .inventedNames:
            await attacker.post {
                try CompressedBody.events(500) {
                    #""campaign_id":"\#(UUID())","app_version":"\#(UUID())","category_id":"\#(UUID())","kind":"opened""#
                }
            }
        case .rejectedEvents:
            await attacker.post { try CompressedBody.events(Array(repeating: "17", count: 5_000)) }
        case .longRejectedEvents:
            await attacker.post {
                let texts = (0..<1_900).map { #"{\"é\\{\"\#($0)"# }.joined()
                return try CompressedBody.events((0..<28).map { _ in #"{"kind":"\#(UUID())","p":"\#(texts)"}"# })
            }
        case .slowlyReadBodies:
            let numbers = String(repeating: ",1e1", count: 60_000)
            await attacker.post(to: "/v1/logs", hasKey: false) {
                try CompressedBody.gzip(#"["\#(UUID())"\#(numbers)]"#)
            }
        case .validBatches: await attacker.post { try CompressedBody.events(2_000) { #""kind":"opened""# } }
        }
    }

    private static func unfinishedBodies(_ attacker: Attacker) async {
        let sizes = [(5_200_000, 12), (1_000_000, 4), (200_000, 3), (30_000, 3), (4_000, 4), (700, 2)]
        let bodies = sizes.flatMap { size, count in
            Array(repeating: CompressedBody.beginning(of: size), count: count)
        }
        await attacker.repeats(bodies.count) { index in
            let body = bodies[index]
            let head = attacker.head("Content-Encoding: gzip", "Content-Length: 5000000")
            // Connected only when the line is free, or the connection would be closed for its silence.
            try await attacker.pay(for: head.utf8.count + body.count)
            let connection = try await attacker.connect()
            try await connection.send(Array(head.utf8) + body)
            while !connection.isClosed, connection.received.isEmpty {
                try await Task.sleep(for: .milliseconds(500))
                // Large bodies have begun with more than the rate that a body must have.
                if body.count < 12_000 { try await attacker.send(CompressedBody.nothing(bytes: 700), connection) }
            }
            await attacker.receive(connection)
        }
    }

    private static func slowHeaders(_ attacker: Attacker) async {
        await attacker.repeats(1_000) { _ in
            let connection = try await attacker.connect()
            try await attacker.send("POST /v1/events HTTP/1.1\r\nHost: localhost\r\nX: ", connection)
            while !connection.isClosed {
                try await Task.sleep(for: .seconds(2))
                try await attacker.send("a", connection)
            }
            await attacker.receive(connection)
        }
    }

    private static func idleConnections(_ attacker: Attacker) async {
        await attacker.repeats(1_000) { index in
            let connection = try await attacker.connect()
            // Half of them have had a response, and so may stay idle for longer.
            if index.isMultiple(of: 2) {
                try await attacker.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n", connection)
                await attacker.receive(connection)
            }
            while !connection.isClosed { try await Task.sleep(for: .milliseconds(500)) }
        }
    }

    private static func pipelinedRequests(_ attacker: Attacker) async {
        let requests = Array(String(repeating: "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 200).utf8)
        await attacker.repeats(300) { _ in
            let connection = try await attacker.connect()
            try await attacker.send(requests, connection)
            try await Task.sleep(for: .seconds(5))
            withExtendedLifetime(connection) {}
        }
    }

    private static func closedWindows(_ attacker: Attacker) async {
        await attacker.repeats(40) { _ in
            let connection = try await attacker.connectHTTP2(initialWindow: 0)
            for index in 0..<100 {
                try await attacker.send(HTTP2Bytes.headers(stream: 2 * index + 1, "/openapi.json"), connection)
            }
            while !connection.received.isClosed { try await Task.sleep(for: .milliseconds(500)) }
        }
    }

    private static func openStreams(_ attacker: Attacker) async {
        await attacker.repeats(20) { _ in
            let connection = try await attacker.connectHTTP2(initialWindow: 65_535)
            for stream in stride(from: 1, to: 1 << 30, by: 2) where !connection.received.isClosed {
                let begin = HTTP2Bytes.headers(
                    stream: stream, "/v1/events", method: "POST", key: attacker.key, flags: HTTP2Bytes.endHeaders)
                try await attacker.send(begin + HTTP2Bytes.data(stream: stream, [0x5B], flags: 0), connection)
                if connection.received.isClosed { return }
            }
        }
    }

    private static func resetStreams(_ attacker: Attacker) async {
        await attacker.repeats(20) { _ in
            let connection = try await attacker.connectHTTP2(initialWindow: 65_535)
            for stream in stride(from: 1, to: 1 << 30, by: 2) {
                let frames =
                    HTTP2Bytes.headers(stream: stream, "/v1/reports", key: attacker.key)
                    + HTTP2Bytes.frame(type: 3, stream: stream, [0, 0, 0, 8])
                try await attacker.send(frames, connection)
                if connection.received.isClosed { return }
            }
        }
    }

    private static func unknownKeys(_ attacker: Attacker) async {
        await attacker.repeats(50) { _ in
            let connection = try await attacker.connect()
            while !connection.isClosed {
                try await get("/v1/reports", "ap_read_\(UUID().uuidString)", connection, attacker)
            }
        }
    }

    private static func forbiddenReads(_ attacker: Attacker) async {
        let paths = ["/v1/reports/conversion", "/v1/export/events", "/v1/live"]
        await attacker.repeats(50) { index in
            let connection = try await attacker.connect()
            while !connection.isClosed { try await get(paths[index % 3], attacker.key, connection, attacker) }
        }
    }

    private static func get(
        _ path: String, _ key: String, _ connection: RawTLSConnection, _ attacker: Attacker
    ) async throws {
        let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(key)\r\n\r\n"
        try await attacker.send(request, connection)
        await attacker.receive(connection)
    }
}
