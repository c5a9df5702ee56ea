import Foundation
import Glibc

/// A process of Debian's chromedriver, controlled over HTTP (W3C WebDriver).
final class WebDriver: Sendable {
    static let program = "/usr/bin/chromedriver"

    private let pid: Int32
    private let port: Int

    /// Starts chromedriver on a free port.
    ///
    /// - Parameter home: the browser's home directory.
    init(home: String) async throws {
        (pid, port) = try await Self.start(home: home)
    }

    /// chromedriver takes a port that is free for IPv4, and ends if another program has that port for IPv6. Then it is
    /// started again.
    private static func start(home: String, attempts: Int = 5) async throws -> (pid: Int32, port: Int) {
        let log = home + "/driver.log"
        let process = try ChildProcess(
            URL(filePath: Self.program), ["--port=0"],
            environment: ProcessInfo.processInfo.environment
                .merging(["HOME": home, "TMPDIR": home, "LANG": "en_US.UTF-8", "TZ": "UTC"]) { $1 },
            output: URL(filePath: log), error: URL(filePath: log))
        ExitCleanup.register(collector: process.processIdentifier)
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let text = FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) } ?? ""
            if let port = text.firstMatch(of: /started successfully on port ([0-9]+)/)?.1, let number = Int(port) {
                return (process.processIdentifier, number)
            }
            guard ContinuousClock.now < deadline, process.isRunning else {
                if attempts > 1, text.contains("Address already in use") {
                    return try await start(home: home, attempts: attempts - 1)
                }
                throw Program.Failed(message: "chromedriver does not start: \(text)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Sends a command and returns its value.
    ///
    /// - Parameter body: the body of a POST; without one the command is a GET.
    func send<Value: Decodable & Sendable>(
        _ path: String, _ body: [String: any Sendable]? = nil, method: String? = nil
    ) async throws -> Value {
        let content = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let (data, status) = try await answer(method ?? (body == nil ? "GET" : "POST"), path, content)
        guard status == 200 else {
            let failure = try? JSONDecoder().decode(Reply<Failure>.self, from: data).value
            throw Program.Failed(message: "\(path): \(failure?.error ?? "\(status)"): \(failure?.message ?? "")")
        }
        return try JSONDecoder().decode(Reply<Value>.self, from: data).value
    }

    /// Kills chromedriver: it was started by a thread that blocks signals, and so ignores those that can be blocked.
    func stop() {
        kill(pid, SIGKILL)
        ExitCleanup.forget(collector: pid)
    }

    private struct Reply<Value: Decodable>: Decodable {
        let value: Value
    }

    private struct Failure: Decodable {
        let error: String
        let message: String
    }

    /// Sends a request over a new connection.
    private func answer(_ method: String, _ path: String, _ content: Data) async throws -> (Data, Int) {
        let connection = try RawConnection(port: port)
        let head = """
            \(method) \(path) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Content-Type: application/json; charset=utf-8\r
            Content-Length: \(content.count)\r
            Connection: close\r
            \r\n
            """
        await connection.send(Array(head.utf8) + Array(content))
        let text = await connection.receive(timeout: .seconds(60)) { Self.body(of: $0) != nil } ?? ""
        guard let body = Self.body(of: text),
            let status = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw Program.Failed(message: "\(path): no whole answer: \(text.prefix(500))") }
        return (body, status)
    }

    /// The body of a complete response; nil if some of it is missing.
    private static func body(of text: String) -> Data? {
        let bytes = Data(text.utf8)
        guard let end = bytes.range(of: Data("\r\n\r\n".utf8)),
            let length = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
                .firstMatch(of: /(?i)content-length: *([0-9]+)/).flatMap({ Int($0.1) }),
            bytes.count - end.upperBound >= length
        else { return nil }
        return bytes[end.upperBound...].prefix(length)
    }
}
