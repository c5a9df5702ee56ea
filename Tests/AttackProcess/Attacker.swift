import RawHTTP2

/// A client with the public ingest key of an app and one address, which sends no faster than its line permits.
actor Attacker {
    static let address = "127.0.0.9"
    /// What a connection costs before its first byte: packets of TCP, and the handshake of TLS.
    static let connecting = (plain: 150, secure: 900)

    nonisolated let port: Int
    nonisolated let isSecure: Bool
    nonisolated let key: String
    /// Bytes per second.
    private let rate: Double
    private var isFreeAt = ContinuousClock.now
    private(set) var counts = AttackCounts()

    init(port: Int, isSecure: Bool, key: String, rate: Double) {
        self.port = port
        self.isSecure = isSecure
        self.key = key
        self.rate = rate
    }

    /// Waits until bytes can be sent without exceeding the rate.
    func pay(for bytes: Int) async throws {
        isFreeAt = max(isFreeAt, .now) + .seconds(Double(bytes) / rate)
        try await Task.sleep(until: isFreeAt)
        counts.sent += bytes
    }

    private func opened() {
        counts.connections += 1
    }

    private func received(_ response: String?) {
        guard let status = response?.split(separator: " ", maxSplits: 2).dropFirst().first else { return }
        counts.statuses[String(status), default: 0] += 1
    }

    nonisolated func connect() async throws -> RawTLSConnection {
        try await pay(for: isSecure ? Self.connecting.secure : Self.connecting.plain)
        let connection = try await RawTLSConnection(port: port, isSecure: isSecure, source: Self.address)
        await opened()
        return connection
    }

    nonisolated func connectHTTP2(initialWindow: Int) async throws -> RawHTTP2Connection {
        try await pay(for: Self.connecting.secure)
        let connection = try await RawHTTP2Connection(
            port: port, isSecure: true, initialWindow: initialWindow, source: Self.address)
        await opened()
        return connection
    }

    nonisolated func send(_ text: String, _ connection: RawTLSConnection) async throws {
        try await send(Array(text.utf8), connection)
    }

    nonisolated func send(_ bytes: [UInt8], _ connection: RawTLSConnection) async throws {
        try await pay(for: bytes.count)
        try await connection.send(bytes)
    }

    nonisolated func send(_ frames: [UInt8], _ connection: RawHTTP2Connection) async throws {
        try await pay(for: frames.count)
        try await connection.send(frames)
    }

    /// Waits for the response to a request.
    nonisolated func receive(_ connection: RawTLSConnection) async {
        let response = await connection.receive(timeout: .seconds(30)) { $0.hasSuffix("}") || $0.hasSuffix("alive\n") }
        await received(response)
        connection.forget()
    }

    /// The head of a request that posts events.
    nonisolated func head(to path: String = "/v1/events", hasKey: Bool = true, _ fields: String...) -> String {
        let fields = ["Host: localhost"] + (hasKey ? ["Authorization: Bearer \(key)"] : []) + fields
        return "POST \(path) HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// Posts bodies one after another over a few connections.
    nonisolated func post(
        to path: String = "/v1/events", hasKey: Bool = true, _ body: @escaping @Sendable () throws -> [UInt8]
    ) async {
        await repeats(8) { _ in
            let connection = try await self.connect()
            while !connection.isClosed {
                let body = try body()
                let head = self.head(
                    to: path, hasKey: hasKey, "Content-Encoding: gzip", "Content-Type: application/json",
                    "Content-Length: \(body.count)")
                try await self.send(Array(head.utf8) + body, connection)
                await self.receive(connection)
            }
        }
    }

    /// Does something in many tasks at once, and again whenever it ends or fails.
    nonisolated func repeats(_ count: Int, _ body: @escaping @Sendable (_ index: Int) async throws -> Void) async {
        await withTaskGroup { group in
            for index in 0..<count {
                group.addTask {
                    while !Task.isCancelled {
                        try? await body(index)
                        // A refused connection is not tried again at once.
                        try? await Task.sleep(for: .milliseconds(20))
                    }
                }
            }
        }
    }
}

/// What an attacker has done so far.
package struct AttackCounts: Sendable {
    package var sent = 0
    package var connections = 0
    package var statuses: [String: Int] = [:]

    package init() {}

    /// Parses a line of the attacker's output.
    package init?(line: some StringProtocol) {
        for word in line.split(separator: " ") {
            let parts = word.split(separator: "=")
            guard parts.count == 2, let count = Int(parts[1]) else { return nil }
            switch parts[0] {
            case "sent": sent = count
            case "connections": connections = count
            default: statuses[String(parts[0])] = count
            }
        }
    }

    package var line: String {
        let statuses = statuses.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return (["sent=\(sent)", "connections=\(connections)"] + statuses).joined(separator: " ")
    }
}
