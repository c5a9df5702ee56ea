import Foundation
import RawHTTP2
import TestSupport
import Testing

/// Tests E31 on every way in, with the default limits and the documented configurations: slow clients are ended, by the
/// proxy or by the collector, and others are served.
@Suite struct SlowClientTests {
    /// What a slow client does, and how soon it must be ended: the time limits, and twice as long for a busy machine.
    private struct Kind: Sendable {
        let what: String
        let limit: Duration
        /// Begins, and returns what says whether the client was ended.
        let begin: @Sendable (WayIn.Entrance) async throws -> @Sendable () async throws -> Bool
    }

    private static let count = 10

    private static let http1 = [
        Kind(what: "nothing is sent", limit: .seconds(15)) { entrance in
            let connection = try await entrance.connect()
            return { connection.isClosed }
        },
        Kind(what: "slow headers", limit: .seconds(15)) { entrance in
            let connection = try await entrance.connect()
            try await connection.send("GET /livez HTTP/1.1\r\nHost: localhost\r\nX: ")
            return {
                connection.post("a")
                return connection.isClosed
            }
        },
        Kind(what: "a slow body", limit: .seconds(25)) { entrance in
            let connection = try await entrance.connect()
            try await connection.send(entrance.collector.head("Content-Length: 100000"))
            return {
                connection.post(" ")
                return connection.isClosed
            }
        },
        Kind(what: "a slow reader", limit: .seconds(45)) { entrance in
            let connection = try await entrance.connect(receiveBuffer: 4_096)
            let request = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try await connection.send(request)
            try await connection.setReading(false)
            connection.post(String(repeating: request, count: 200))
            let start = ContinuousClock.now
            return {
                // To see whether it was ended, what was sent until then has to be read.
                if start.duration(to: .now) > .seconds(20) { try? await connection.setReading(true) }
                return connection.isClosed && connection.receivedBytes < 8 << 20
            }
        },
    ]

    private static let http2 = [
        Kind(what: "half a preface", limit: .seconds(15)) { entrance in
            let connection = try await RawHTTP2Connection(port: entrance.port, isSecure: true, initialWindow: nil)
            try await connection.send(Array(HTTP2Bytes.preface.prefix(12)))
            return { connection.received.isClosed }
        },
        Kind(what: "headers without an end", limit: .seconds(15)) { entrance in
            let connection = try await entrance.connectHTTP2()
            try await connection.send(HTTP2Bytes.headers(stream: 1, "/livez", flags: HTTP2Bytes.endStream))
            return { connection.received.isClosed || connection.received.resets[1] != nil }
        },
        Kind(what: "a slow body", limit: .seconds(25)) { entrance in
            let connection = try await entrance.connectHTTP2()
            let key = entrance.app.ingestKey
            try await connection.send(
                HTTP2Bytes.headers(
                    stream: 1, "/v1/events", method: "POST", key: key, flags: HTTP2Bytes.endHeaders))
            return {
                try? await connection.send(HTTP2Bytes.data(stream: 1, [0x20], flags: 0))
                let received = connection.received
                return received.isClosed || received.statuses[1] == 408 || received.resets[1] != nil
            }
        },
        Kind(what: "no window", limit: .seconds(25)) { entrance in
            let connection = try await entrance.connectHTTP2(initialWindow: 0)
            for index in 0..<20 {
                try await connection.send(HTTP2Bytes.headers(stream: 2 * index + 1, "/openapi.json"))
            }
            return {
                let received = connection.received
                return received.isClosed || received.ended.union(received.resets.keys).count == 20
            }
        },
    ]

    /// How long some clients last that begin at the same time.
    private static func last(_ kind: Kind, _ entrance: WayIn.Entrance) async throws -> [Duration] {
        try await withThrowingTaskGroup(of: Duration.self) { group in
            for _ in 0..<count { group.addTask { try await lasts(kind, entrance) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// How long a client lasts, up to a little more than it may.
    private static func lasts(_ kind: Kind, _ entrance: WayIn.Entrance) async throws -> Duration {
        // On a busy machine it can be ended before it has begun in earnest.
        guard let isEnded = try? await kind.begin(entrance) else { return .zero }
        let start = ContinuousClock.now
        while try await !isEnded(), start.duration(to: .now) < kind.limit + .seconds(1) {
            try await Task.sleep(for: .milliseconds(300))
        }
        return start.duration(to: .now)
    }

    @Test(arguments: WayIn.allCases)
    func `E31: slow clients are ended, and others are served`(way: WayIn) async throws {
        let entrance = try await way.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for kind in way.version == .http1 ? Self.http1 : Self.http2 {
                group.addTask {
                    let times = try await Self.last(kind, entrance)
                    #expect(times.allSatisfy { $0 < kind.limit }, "\(kind.what): \(times)")
                }
            }
            for _ in 0..<20 {
                #expect(try await entrance.postEvent() < .seconds(5))
                try await Task.sleep(for: .milliseconds(300))
            }
            try await group.waitForAll()
        }
    }
}
