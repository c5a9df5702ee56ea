import AfterpushWire
import Foundation

/// What becomes of a batch after a try to post it.
enum SendDecision: Equatable {
    /// Each event is durable, or known, or rejected and kept by the collector.
    case acknowledge(IngestResponse)
    /// It may be too much for one request, or one event spoils it: half as many next time.
    case split
    /// One event alone, and it can't be taken.
    case drop
    /// Again, not before so many seconds if the collector said so.
    case retry(after: Double?)
    /// Nothing says that a try soon would end better; the events stay for a later occasion.
    case keep
    /// The key is not good: nothing until the next start.
    case stop

    /// - Parameters:
    ///   - answer: nil if none came.
    ///   - count: of the batch's events.
    init(_ answer: TransportResponse?, count: Int, now: Date = Date()) {
        guard let answer else {
            self = .retry(after: nil)
            return
        }
        switch answer.status {
        case 200, 202, 422:
            if let taken = Self.taken(answer, count) {
                self = .acknowledge(taken)
            } else {
                // Not the collector's words: a hotel's sign-in page is answered 200, too.
                self = answer.status == 422 ? .keep : .retry(after: nil)
            }
        case 408, 429, 502, 503, 504: self = .retry(after: RetryAfter.seconds(answer.headers["retry-after"], now: now))
        case 400, 413, 415: self = count > 1 ? .split : .drop
        case 401, 403: self = .stop
        default: self = .keep
        }
    }

    /// The answer, if it accounts for every event.
    private static func taken(_ answer: TransportResponse, _ count: Int) -> IngestResponse? {
        guard let taken = try? JSONDecoder().decode(IngestResponse.self, from: answer.body),
            taken.accepted + taken.duplicates + taken.rejected.count == count
        else { return nil }
        return taken
    }
}
