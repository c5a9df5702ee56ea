package import Foundation
import FoundationNetworking

/// An HTTP client for the requests of devices, servers and readers.
package struct TestClient: Sendable {
    package struct Response: Sendable {
        package let status: Int
        package let headers: [String: String]
        package let body: Data

        package var text: String { String(decoding: body, as: UTF8.self) }

        /// The body as a JSON object.
        package func json() throws -> [String: Any] {
            guard let object = try JSONSerialization.jsonObject(with: body) as? [String: Any] else {
                throw Program.Failed(message: "not a JSON object: \(text)")
            }
            return object
        }

        /// The codes of the rejected events by position.
        package func rejections() throws -> [Int: String] {
            let rejected = try json()["rejected"] as? [[String: Any]] ?? []
            return Dictionary(
                uniqueKeysWithValues: rejected.compactMap { event in
                    guard let index = event["index"] as? Int, let code = event["code"] as? String else { return nil }
                    return (index, code)
                })
        }
    }

    private let url: String
    private let session: URLSession

    /// Creates a client.
    ///
    /// - Parameter timeout: The time in seconds after which a request without a response fails.
    package init(url: String, timeout: TimeInterval = 30, connections: Int = 16) {
        self.url = url
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        configuration.httpMaximumConnectionsPerHost = connections
        session = URLSession(configuration: configuration)
    }

    package func post(
        _ path: String = "/v1/events", _ body: Data, key: String?, headers: [String: String] = [:]
    ) async throws -> Response {
        var request = try request(path, key: key, headers: headers)
        request.httpMethod = "POST"
        request.httpBody = body
        return try await send(request)
    }

    package func get(_ path: String, key: String?, headers: [String: String] = [:]) async throws -> Response {
        try await send(request(path, key: key, headers: headers))
    }

    package func put(_ path: String, _ body: Data, key: String?) async throws -> Response {
        var request = try request(path, key: key, headers: [:])
        request.httpMethod = "PUT"
        request.httpBody = body
        return try await send(request)
    }

    package func delete(_ path: String, key: String?) async throws -> Response {
        var request = try request(path, key: key, headers: [:])
        request.httpMethod = "DELETE"
        return try await send(request)
    }

    package func options(_ path: String, headers: [String: String]) async throws -> Response {
        var request = try request(path, key: nil, headers: headers)
        request.httpMethod = "OPTIONS"
        return try await send(request)
    }

    /// A text as one path component.
    package static func part(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                byte < 0x80 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + String(format: "%02X", byte)
        }.joined()
    }

    /// A path with an escaped query.
    package static func path(_ path: String, _ query: [(String, String)]) -> String {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~")
        let pairs = query.map { "\($0.0)=\($0.1.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")" }
        return path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    private func request(_ path: String, key: String?, headers: [String: String]) throws -> URLRequest {
        guard let url = URL(string: url + path) else { throw Program.Failed(message: "no URL: \(path)") }
        var request = URLRequest(url: url)
        if let key { request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization") }
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private func send(_ request: URLRequest) async throws -> Response {
        let (body, response) = try await data(for: request)
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
        return Response(status: response.statusCode, headers: headers, body: body)
    }

    /// Sends a request without `session.data(for:)`, which can hang if its task is cancelled while others run
    /// (swift-corelibs-foundation issue 5412).
    private func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try await withCheckedThrowingContinuation { continuation in
            let task = session.dataTask(with: request) { body, response, error in
                if let body, let response = response as? HTTPURLResponse {
                    continuation.resume(returning: (body, response))
                } else {
                    continuation.resume(throwing: error ?? Program.Failed(message: "no HTTP response"))
                }
            }
            task.resume()
        }
    }
}
