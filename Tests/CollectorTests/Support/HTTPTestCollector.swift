import Foundation
import TestSupport

/// A collector with short timeouts for tests of the HTTP server, and an app.
struct HTTPTestCollector: Sendable {
    /// Timeouts that a test can wait for.
    static let short = [
        "AFTERPUSH_HTTP_HEADER_TIMEOUT": "2", "AFTERPUSH_HTTP_BODY_TIMEOUT": "6", "AFTERPUSH_HTTP_BODY_GRACE": "0.5",
        "AFTERPUSH_HTTP_WRITE_TIMEOUT": "1", "AFTERPUSH_HTTP_LINGER_TIMEOUT": "1",
    ]

    static let shared = Task { try await HTTPTestCollector() }
    /// A collector with the default limits.
    static let usual = Task { try await HTTPTestCollector(environment: [:]) }

    let process: CollectorProcess
    let app: TestApp
    let client: TestClient

    init(environment: [String: String] = short, wrapper: [String] = []) async throws {
        app = try await TestApp()
        process = try await CollectorProcess(conninfo: app.conninfo, environment: environment, wrapper: wrapper)
        client = TestClient(url: process.url)
    }

    func connect(receiveBuffer: Int32 = 0) throws -> RawConnection {
        try RawConnection(port: process.port, receiveBuffer: receiveBuffer)
    }

    /// The head of a request that posts events.
    func head(_ fields: String...) -> String {
        let fields = ["Host: localhost", "Authorization: Bearer \(app.ingestKey)"] + fields
        return "POST /v1/events HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// A complete request with an event.
    func request(_ fields: String...) -> String {
        let body = String(decoding: EventJSON.body(raw: [EventJSON.raw()]), as: UTF8.self)
        let fields = ["Host: localhost", "Authorization: Bearer \(app.ingestKey)"] + fields
        return "POST /v1/events HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined()
            + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
    }

    /// Sends bytes and returns the response when the collector closes the connection; nil if it doesn't.
    func exchange(_ text: String, timeout: Duration = .seconds(15)) async throws -> String? {
        let connection = try connect()
        await connection.send(text)
        return await connection.receive(timeout: timeout)
    }

    /// Posts an event and returns the time until the acknowledgement.
    func post() async throws -> Duration {
        try await ContinuousClock().measure {
            let response = try await client.post(
                "/v1/events", EventJSON.body(raw: [EventJSON.raw()]), key: app.ingestKey)
            guard response.status == 200 else { throw Program.Failed(message: response.text) }
        }
    }
}
