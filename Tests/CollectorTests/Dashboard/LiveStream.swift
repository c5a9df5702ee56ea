import Foundation
import TestSupport

/// A stream of `GET /v1/live`.
struct LiveStream {
    struct Summary: Decodable {
        let time: String
        let accepted: Int
        let duplicates: Int
        let rejected: Int
        let kinds: [String: Int]
        let estimated: Bool
        let rollup_lag_seconds: Double
        let latest: [[String: String?]]
    }

    let connection: RawConnection

    /// Opens a stream.
    ///
    /// - Parameter credentials: A header line.
    init(port: Int, _ credentials: String) async throws {
        connection = try RawConnection(port: port)
        await connection.send("GET /v1/live HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(credentials)\r\n\r\n")
    }

    /// The received text when it matches or the stream has ended.
    func text(until something: String, timeout: Duration = .seconds(20)) async -> String? {
        await connection.receive(timeout: timeout) { $0.contains(something) }
    }

    /// Reads summaries until they add up to a number of events or the stream ends, and returns them with their text.
    func summaries(until accepted: Int, timeout: Duration = .seconds(20)) async throws -> ([Summary], String) {
        let text = await connection.receive(timeout: timeout) { text in
            (Self.summaries(in: text).reduce(0) { $0 + $1.accepted }) >= accepted
        }
        guard let text else { throw Program.Failed(message: "the stream never reported \(accepted) events") }
        return (Self.summaries(in: text), text)
    }

    private static func summaries(in text: String) -> [Summary] {
        text.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("data: ") else { return nil }
            return try? JSONDecoder().decode(Summary.self, from: Data(line.dropFirst(6).utf8))
        }
    }
}
