import Foundation

/// curl against a collector: redirects are not followed, cookies are not kept, and every header is seen.
package struct Curl: Sendable {
    package struct Answer: Sendable {
        package let status: Int
        /// Names in lower case; of several with one name, the last.
        package let headers: [String: String]
        package let body: String

        /// The token that the answer sets as the session's cookie.
        package var session: String? {
            headers["set-cookie"]?.firstMatch(of: /afterpush_session=([A-Za-z0-9_\-]+);/).map { String($0.1) }
        }
    }

    private let url: String
    private let options: [String]

    /// - Parameter options: for every request.
    package init(_ url: String, _ options: [String] = []) {
        self.url = url
        self.options = options
    }

    /// - Parameters:
    ///   - session: shown as the session's cookie.
    ///   - headers: as `Name: value`.
    ///   - arguments: further ones.
    package func callAsFunction(
        _ path: String, session: String? = nil, headers: [String] = [], _ arguments: String...
    ) async throws -> Answer {
        try await ask(path, session, headers, arguments)
    }

    /// Posts a form, as a page of the dashboard does.
    package func post(
        _ path: String, _ form: [String: String], session: String? = nil, headers: [String] = []
    ) async throws -> Answer {
        let fields = form.flatMap { ["--data-urlencode", "\($0.key)=\($0.value)"] }
        return try await ask(path, session, headers, form.isEmpty ? ["-X", "POST"] : fields)
    }

    private func ask(
        _ path: String, _ session: String?, _ headers: [String], _ arguments: [String]
    ) async throws -> Answer {
        let headers = headers + (session.map { ["Cookie: other=1; afterpush_session=\($0)"] } ?? [])
        let output = try await Program.run(
            ["-sS", "-i", "--max-time", "30", "--http1.1"] + options + headers.flatMap { ["-H", $0] } + arguments
                + [url + path],
            program: URL(filePath: "/usr/bin/curl"))
        guard let end = output.output.firstRange(of: "\r\n\r\n") else {
            throw Program.Failed(message: "curl \(path): \(output.error)")
        }
        let lines = output.output[..<end.lowerBound].replacing("\r\n", with: "\n").split(separator: "\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = line[line.index(after: colon)...]
                .trimmingCharacters(in: .whitespaces)
        }
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Program.Failed(message: "curl \(path): \(lines.first ?? "")")
        }
        return Answer(status: status, headers: fields, body: String(output.output[end.upperBound...]))
    }
}
