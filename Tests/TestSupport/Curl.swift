import Foundation

/// A client that uses curl: it follows no redirects, keeps no cookies and returns every header.
package struct Curl: Sendable {
    package struct Response: Sendable {
        package let status: Int
        /// The headers by name in lower case; the last one if a name is repeated.
        package let headers: [String: String]
        package let body: String

        /// The token of the session cookie that the response sets.
        package var session: String? {
            headers["set-cookie"]?.firstMatch(of: /afterpush_session=([A-Za-z0-9_\-]+);/).map { String($0.1) }
        }
    }

    private let url: String
    private let options: [String]

    /// Creates a client.
    ///
    /// - Parameter options: Curl options for every request.
    package init(_ url: String, _ options: [String] = []) {
        self.url = url
        self.options = options
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - session: The token of the session cookie.
    ///   - headers: Lines such as `Name: value`.
    ///   - arguments: Further arguments of curl.
    package func callAsFunction(
        _ path: String, session: String? = nil, headers: [String] = [], _ arguments: String...
    ) async throws -> Response {
        try await ask(path, session, headers, arguments)
    }

    /// Posts a form as a page of the dashboard does.
    package func post(
        _ path: String, _ form: [String: String], session: String? = nil, headers: [String] = []
    ) async throws -> Response {
        let fields = form.flatMap { ["--data-urlencode", "\($0.key)=\($0.value)"] }
        return try await ask(path, session, headers, form.isEmpty ? ["-X", "POST"] : fields)
    }

    private func ask(
        _ path: String, _ session: String?, _ headers: [String], _ arguments: [String]
    ) async throws -> Response {
        let headers = headers + (session.map { ["Cookie: other=1; afterpush_session=\($0)"] } ?? [])
        let output = try await Program.run(
            ["-sS", "-i", "--max-time", "30", "--http1.1"] + options + headers.flatMap { ["-H", $0] } + arguments
                + [url + path],
            program: URL(filePath: "/usr/bin/curl"))
        var text = output.output[...]
        // Curl asks before it sends a large body.
        while text.hasPrefix("HTTP/1.1 100 "), let end = text.firstRange(of: "\r\n\r\n") {
            text = text[end.upperBound...]
        }
        guard let end = text.firstRange(of: "\r\n\r\n") else {
            throw Program.Failed(message: "curl \(path): \(output.error)")
        }
        let lines = text[..<end.lowerBound].replacing("\r\n", with: "\n").split(separator: "\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = line[line.index(after: colon)...]
                .trimmingCharacters(in: .whitespaces)
        }
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Program.Failed(message: "curl \(path): \(lines.first ?? "")")
        }
        return Response(status: status, headers: fields, body: String(text[end.upperBound...]))
    }
}
