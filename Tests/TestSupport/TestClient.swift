package import Foundation

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
    private let timeout: TimeInterval
    private let connections: CurlConnections

    /// Creates a client.
    ///
    /// - Parameter timeout: The time in seconds after which a request fails if nothing is sent or received.
    package init(url: String, timeout: TimeInterval = 30, connections: Int = 16) {
        self.url = url
        self.timeout = timeout
        self.connections = CurlConnections(count: connections)
    }

    package func post(
        _ path: String = "/v1/events", _ body: Data, key: String?, headers: [String: String] = [:]
    ) async throws -> Response {
        try await send("POST", path, body, key: key, headers: headers)
    }

    package func get(_ path: String, key: String?, headers: [String: String] = [:]) async throws -> Response {
        try await send("GET", path, key: key, headers: headers)
    }

    package func put(_ path: String, _ body: Data, key: String?) async throws -> Response {
        try await send("PUT", path, body, key: key)
    }

    package func delete(_ path: String, key: String?) async throws -> Response {
        try await send("DELETE", path, key: key)
    }

    package func options(_ path: String, headers: [String: String]) async throws -> Response {
        try await send("OPTIONS", path, key: nil, headers: headers)
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

    private func send(
        _ method: String, _ path: String, _ body: Data? = nil, key: String?, headers: [String: String] = [:]
    ) async throws -> Response {
        guard let url = URL(string: url + path) else { throw Program.Failed(message: "no URL: \(path)") }
        var fields = ["content-type": "application/json"]
        if let key { fields["authorization"] = "Bearer \(key)" }
        for (name, value) in headers { fields[name.lowercased()] = value }
        let response = try await connections.send(
            CurlRequest(method: method, url: url.absoluteString, headers: fields, body: body, timeout: timeout))
        return Response(status: response.status, headers: response.headers, body: response.body)
    }
}
