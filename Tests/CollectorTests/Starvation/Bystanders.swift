import Foundation
import RawHTTP2
import Synchronization
import TestSupport

/// Keys that were never used, so that no collector knows them.
final class NewKeys: Sendable {
    private let keys: Mutex<[String]>

    init(_ keys: [String]) {
        self.keys = Mutex(keys)
    }

    func take() -> String { keys.withLock { $0.popLast() } ?? "none is left" }
}

/// What others do while one client attacks: how often they succeed, and how long it takes.
final class Bystanders: Sendable {
    /// A request that is made again and again.
    struct Operation: Sendable {
        let name: String
        let pause: Duration
        let source: String
        /// Servers keep their connections; devices open one for each request.
        var keepsConnection = true
        /// What a successful response contains.
        let success: String
        let request: @Sendable () -> String
    }

    struct Sample: Sendable {
        let time: Duration
        let isSuccess: Bool
        let response: String
    }

    private static let timeout = Duration.seconds(10)

    private let samples = Mutex<[String: [Sample]]>([:])
    private let port: Int
    private let isSecure: Bool

    init(port: Int, isSecure: Bool) {
        self.port = port
        self.isSecure = isSecure
    }

    /// What the server of app A does, and everything that app B does.
    ///
    /// - Parameter newKeys: keys of app B.
    static func operations(_ a: TestApp, _ b: TestApp, _ newKeys: NewKeys) -> [Operation] {
        [
            Operation(
                name: "20 events of A's server", pause: .milliseconds(100), source: "127.0.0.2",
                success: #""accepted":20,"#
            ) { post(20, key: a.sendKey) },
            Operation(
                name: "100 events of A's server", pause: .milliseconds(400), source: "127.0.0.2",
                success: #""accepted":100,"#
            ) { post(100, key: a.sendKey) },
            Operation(
                name: "an event of B's device", pause: .milliseconds(50), source: "127.0.0.3", keepsConnection: false,
                success: #""accepted":1,"#
            ) { post(1, key: b.ingestKey) },
            Operation(
                name: "20 events of B's device", pause: .milliseconds(100), source: "127.0.0.4",
                keepsConnection: false, success: #""accepted":20,"#
            ) { post(20, key: b.ingestKey) },
            Operation(
                name: "B's report", pause: .milliseconds(200), source: "127.0.0.5", success: #""rows":"#
            ) { get("/v1/reports/conversion", key: b.readKey) },
            Operation(
                name: "B's export", pause: .milliseconds(200), source: "127.0.0.5", keepsConnection: false,
                success: "\r\n0\r\n\r\n"
            ) { get("/v1/export/replies", key: b.readKey) },
            Operation(
                name: "B's new stream", pause: .milliseconds(300), source: "127.0.0.5", keepsConnection: false,
                success: "retry: "
            ) { get("/v1/live", key: b.readKey) },
            // Someone else in the attacker's network, whose key the collector doesn't know yet.
            Operation(
                name: "a new key of B at the attacker's address", pause: .milliseconds(500), source: "127.0.0.9",
                keepsConnection: false, success: #""reports":"#
            ) { get("/v1/reports", key: newKeys.take()) },
        ]
    }

    /// Takes what was measured since the last call, by the operations' names.
    func takeSamples() -> [String: [Sample]] {
        samples.withLock { samples in
            defer { samples = [:] }
            return samples
        }
    }

    /// Makes requests of one kind until its task is cancelled.
    func run(_ operation: Operation) async {
        var connection: RawTLSConnection?
        while !Task.isCancelled {
            let request = operation.request()
            let begin = ContinuousClock.now
            if connection?.isClosed != false {
                connection = try? await RawTLSConnection(port: port, isSecure: isSecure, source: operation.source)
            }
            connection?.forget()
            connection?.post(request)
            let response = await connection?.receive(timeout: Self.timeout) {
                $0.contains(operation.success) || $0.contains("\"request_id\"")
            }
            let isSuccess = response?.contains(operation.success) == true
            record(operation.name, begin, isSuccess, response)
            if !operation.keepsConnection || !isSuccess { connection = nil }
            try? await Task.sleep(for: max(.milliseconds(1), operation.pause - begin.duration(to: .now)))
        }
    }

    /// Follows a live stream until its task is cancelled. Its summaries come once per second; the time is what they are
    /// late.
    func follow(_ name: String, key: String) async {
        while !Task.isCancelled {
            let connection = try? await RawTLSConnection(port: port, isSecure: isSecure, source: "127.0.0.5")
            connection?.post(Self.get("/v1/live", key: key))
            var isOpen = true
            while isOpen, !Task.isCancelled {
                let begin = ContinuousClock.now
                connection?.forget()
                let text = await connection?.receive(timeout: Self.timeout) { $0.contains("data: ") }
                isOpen = text?.contains("data: ") == true
                record(name, min(begin + .seconds(1), .now), isOpen, text)
            }
        }
    }

    private func record(_ name: String, _ begin: ContinuousClock.Instant, _ isSuccess: Bool, _ response: String?) {
        guard !Task.isCancelled else { return }
        let sample = Sample(
            time: begin.duration(to: .now), isSuccess: isSuccess, response: String(response?.suffix(200) ?? "nothing"))
        samples.withLock { $0[name, default: []].append(sample) }
    }

    private static func post(_ events: Int, key: String) -> String {
        let body = String(decoding: EventJSON.body(raw: (0..<events).map { _ in EventJSON.raw() }), as: UTF8.self)
        return """
            POST /v1/events HTTP/1.1\r
            Host: localhost\r
            Authorization: Bearer \(key)\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """
    }

    private static func get(_ path: String, key: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(key)\r\n\r\n"
    }
}

extension [Bystanders.Sample] {
    /// The share of them that succeeded.
    var success: Double { isEmpty ? 0 : Double(filter(\.isSuccess).count) / Double(count) }

    /// The time that a share of them does not exceed.
    func percentile(_ percent: Int) -> Duration {
        let times = map(\.time).sorted()
        return times.isEmpty ? .zero : times[(times.count * percent - 1) / 100]
    }
}
