/// The state of a connection's pipelined requests: which are read and answered, and which response is the last.
///
/// Requests can arrive before earlier ones are answered; the responses keep their order.
struct PipelineState {
    private var requests = 0
    private var answersBegun = 0
    /// Whether the headers of a request have been read, but not its end.
    private(set) var isReading = false
    /// The number of requests that are answered before the connection closes, or `nil` if it isn't known yet.
    private var last: Int?
    /// Whether the connection closes after the response that was begun last.
    private(set) var isClosing = false

    /// Whether the request that is being read is the one that the responder works on, and not a pipelined one after it.
    var isReadingCurrent: Bool { isReading && answersBegun + 1 == requests }

    /// Begins a request, or returns false if it comes after the last one and must be ignored.
    mutating func beginRequest() -> Bool {
        guard last.map({ requests < $0 }) ?? true else { return false }
        requests += 1
        isReading = true
        return true
    }

    mutating func endRequest() {
        isReading = false
    }

    /// Accepts only one more request.
    mutating func nextIsLast() {
        last = min(last ?? .max, requests + 1)
    }

    /// Accepts no further requests.
    mutating func stopAccepting() {
        last = min(last ?? .max, requests)
    }

    /// Begins the next response and decides whether the connection closes after it.
    ///
    /// - Parameter closes: whether the responder wants the connection to close.
    /// - Returns: true if the responder wants it, if this is the last response, or if the rest of its request is unread
    ///   and no longer needed.
    mutating func beginAnswer(closes: Bool) -> Bool {
        answersBegun += 1
        let isEarly = isReading && answersBegun == requests
        isClosing = closes || isEarly || last == answersBegun
        if isClosing { last = answersBegun }
        return isClosing
    }
}
