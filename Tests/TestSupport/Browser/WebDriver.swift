import Foundation
import FoundationNetworking
import Glibc

/// Debian's chromedriver as a process, and what is said to it over HTTP (W3C WebDriver).
final class WebDriver: Sendable {
    static let program = "/usr/bin/chromedriver"

    private let pid: Int32
    private let url: String
    private let session: URLSession

    /// Starts it on a free port.
    ///
    /// - Parameter home: where the browser keeps what it would keep in a home directory.
    init(home: String) async throws {
        let log = home + "/driver.log"
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        let process = Process()
        process.executableURL = URL(filePath: Self.program)
        process.arguments = ["--port=0"]
        process.environment = ProcessInfo.processInfo.environment
            .merging(["HOME": home, "TMPDIR": home, "LANG": "en_US.UTF-8", "TZ": "UTC"]) { $1 }
        process.standardOutput = FileHandle(forWritingAtPath: log)
        process.standardError = FileHandle(forWritingAtPath: log)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        pid = process.processIdentifier
        Leftovers.register(collector: pid)
        let deadline = ContinuousClock.now + .seconds(30)
        var port: Substring?
        while port == nil {
            let text = FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) } ?? ""
            port = text.firstMatch(of: /started successfully on port ([0-9]+)/)?.1
            guard ContinuousClock.now < deadline, process.isRunning else {
                throw Program.Failed(message: "chromedriver does not start: \(text)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        url = "http://127.0.0.1:\(port ?? "")"
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 60
        session = URLSession(configuration: configuration)
    }

    /// The value that a command returns.
    ///
    /// - Parameter body: of a command that is posted; without one it is a GET.
    func send<Value: Decodable & Sendable>(
        _ path: String, _ body: [String: any Sendable]? = nil, method: String? = nil
    ) async throws -> Value {
        guard let address = URL(string: url + path) else { throw Program.Failed(message: "no URL: \(path)") }
        var request = URLRequest(url: address)
        request.httpMethod = method ?? (body == nil ? "GET" : "POST")
        if let body { request.httpBody = try JSONSerialization.data(withJSONObject: body) }
        request.setValue("application/json; charset=utf-8", forHTTPHeaderField: "Content-Type")
        let (data, status) = try await answer(to: request)
        guard status == 200 else {
            let failure = try? JSONDecoder().decode(Reply<Failure>.self, from: data).value
            throw Program.Failed(message: "\(path): \(failure?.error ?? "\(status)"): \(failure?.message ?? "")")
        }
        return try JSONDecoder().decode(Reply<Value>.self, from: data).value
    }

    func stop() {
        kill(pid, SIGTERM)
        Leftovers.forget(collector: pid)
    }

    private struct Reply<Value: Decodable>: Decodable {
        let value: Value
    }

    private struct Failure: Decodable {
        let error: String
        let message: String
    }

    private func answer(to request: URLRequest) async throws -> (Data, Int) {
        try await withCheckedThrowingContinuation { continuation in
            let task = session.dataTask(with: request) { data, response, error in
                if let data, let response = response as? HTTPURLResponse {
                    continuation.resume(returning: (data, response.statusCode))
                } else {
                    continuation.resume(throwing: error ?? Program.Failed(message: "no HTTP answer"))
                }
            }
            task.resume()
        }
    }
}
