import AfterpushWire
import Foundation

/// A decision about a batch after an attempt to send it.
enum SendDecision: Equatable {
    /// Removes the batch: each event is stored, known, or rejected and kept by the collector.
    case acknowledge(IngestResponse)
    /// Sends half as many events next time: the request is too large, or one event makes it unreadable.
    case split
    /// Drops the batch, which is a single event that the collector itself can't read.
    case drop
    /// Tries again, but not before as many seconds as the collector asked for.
    case retry(after: Double?)
    /// Keeps the events and sends them with the next ones: a retry is unlikely to end better.
    case postpone
    /// Keeps the events and sends nothing until the next start: the collector refuses the key.
    case refuseKey

    /// Decides by the response.
    ///
    /// - Parameters:
    ///   - response: The response, or nil if there was none.
    ///   - count: The number of events in the batch.
    init(_ response: TransportResponse?, count: Int, now: Date = Date()) {
        guard let response else {
            self = .retry(after: nil)
            return
        }
        switch response.status {
        case 200, 202, 422:
            if let body = Self.body(of: response, count) {
                self = .acknowledge(body)
            } else {
                // Not a response of the collector: the sign-in page of a hotel also has status 200.
                self = response.status == 422 ? .postpone : .retry(after: nil)
            }
        case 408, 429, 502, 503, 504:
            self = .retry(after: RetryAfter.seconds(response.headers["retry-after"], now: now))
        case 400, 413, 415:
            // A proxy with a lower limit has no say over an event, and neither has a captive portal or another host.
            self = count > 1 ? .split : Self.isProblem(response) ? .drop : .postpone
        case 401, 403: self = .refuseKey
        default: self = .postpone
        }
    }

    /// The members of the collector's problem documents that tell them from those of others.
    private struct ProblemDocument: Decodable {
        let status: Int
        let code: String
        let requestID: String

        enum CodingKeys: String, CodingKey {
            case status
            case code
            case requestID = "request_id"
        }
    }

    /// Whether the response is a problem document as the collector sends it.
    private static func isProblem(_ response: TransportResponse) -> Bool {
        let type = response.headers["content-type"]?.prefix { $0 != ";" }
        guard type?.trimmingCharacters(in: .whitespaces).lowercased() == "application/problem+json",
            response.body.count <= TransportResponse.maximumBodyBytes,
            let problem = try? JSONDecoder().decode(ProblemDocument.self, from: response.body)
        else { return false }
        return problem.status == response.status && !problem.code.isEmpty && !problem.requestID.isEmpty
    }

    /// Decodes the body. Returns nil unless it accounts for every event.
    private static func body(of response: TransportResponse, _ count: Int) -> IngestResponse? {
        // A transport of the app may have a higher limit, or none.
        guard response.body.count <= TransportResponse.maximumBodyBytes,
            let body = try? JSONDecoder().decode(IngestResponse.self, from: response.body)
        else { return nil }
        // Anything but a collector may state any numbers, so that their sum could overflow.
        let numbers = [body.accepted, body.duplicates, body.rejected.count]
        guard numbers.allSatisfy({ (0...count).contains($0) }), numbers.reduce(0, +) == count else { return nil }
        return body
    }
}

/// The header field `Retry-After`.
enum RetryAfter {
    /// The longest wait in seconds. The collector never asks for more; something else might.
    private static let maximum = 3_600.0
    /// The most bytes of the field. A date has 29.
    private static let maximumBytes = 64

    /// Parses the field, a number of seconds or a date. Returns nil if it is absent or has neither form.
    static func seconds(_ text: String?, now: Date) -> Double? {
        guard let text, text.utf8.count <= maximumBytes else { return nil }
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        let seconds = Double(trimmed) ?? date(trimmed).map { $0.timeIntervalSince(now) }
        return seconds.flatMap { $0.isFinite ? min(maximum, max(0, $0)) : nil }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// Without `DateFormatter`: on Linux it ends the process on some texts that are not ASCII.
    private static func date(_ text: String) -> Date? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else {
            return nil
        }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        let time = Timestamp("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
        return time.map { Date(timeIntervalSince1970: Double($0.microseconds) / 1_000_000) }
    }
}
