/// Which of a connection's requests are read and answered, and which answer is its last.
///
/// Requests may come before earlier ones are answered; answers keep their order.
struct PipelineState {
    private var requests = 0
    private var answersBegun = 0
    private var answersEnded = 0
    /// A request's headers are read, its end is not.
    private(set) var isReading = false
    /// How many requests are answered before the connection closes, once that is known.
    private var last: Int?
    private(set) var isClosing = false

    /// Whether a request may be passed on.
    mutating func beginRequest() -> Bool {
        guard last.map({ requests < $0 }) ?? true else { return false }
        requests += 1
        isReading = true
        return true
    }

    mutating func endRequest() {
        isReading = false
    }

    /// No request is taken after the next one.
    mutating func nextIsLast() {
        last = min(last ?? .max, requests + 1)
    }

    /// No request is taken after those that are here.
    mutating func takeNoMore() {
        last = min(last ?? .max, requests)
    }

    /// - Parameter closes: whether the one who answers wants the connection to close.
    /// - Returns: whether it does close after this answer: because it is to, because it is the last, or because the
    ///   rest of its request is unread and no longer needed.
    mutating func beginAnswer(closes: Bool) -> Bool {
        answersBegun += 1
        let isEarly = isReading && answersBegun == requests
        isClosing = closes || isEarly || last == answersBegun
        if isClosing { last = answersBegun }
        return isClosing
    }

    /// Whether the connection is to be closed now.
    mutating func endAnswer() -> Bool {
        answersEnded += 1
        return isClosing
    }

    /// Whether every request has its whole answer.
    var isAnswered: Bool { answersEnded == requests }
}
