import CLibpq
import Glibc

/// A connected libpq handle whose calls all have a deadline. Only its `Connection` uses it, on that actor's queue.
final class Link {
    let handle: OpaquePointer

    /// Takes ownership of a libpq connection.
    ///
    /// - Parameter handle: An open connection; this object closes it.
    init(_ handle: OpaquePointer) {
        self.handle = handle
        // In blocking mode, sending a large statement would block for as long as the server doesn't read.
        PQsetnonblocking(handle, 1)
    }

    deinit {
        PQfinish(self.handle)
    }

    var transactionStatus: PGTransactionStatusType { PQtransactionStatus(self.handle) }
    var isLost: Bool { PQstatus(self.handle) != CONNECTION_OK }
    var backendPID: Int32 { PQbackendPID(self.handle) }

    /// Sends a statement, waits until the server has finished it, and returns its last result.
    ///
    /// - Parameter send: Calls one of libpq's PQsend functions, which return 1 for success.
    func perform(by deadline: Deadline, _ send: (OpaquePointer) -> Int32) throws(PostgresError) -> ResultHandle {
        try self.start(by: deadline, send)
        return try self.finish(by: deadline)
    }

    /// Sends a statement without waiting for the reply.
    func start(by deadline: Deadline, _ send: (OpaquePointer) -> Int32) throws(PostgresError) {
        guard send(self.handle) == 1 else {
            let message = PQerrorMessage(self.handle).map { String(cString: $0) }
            throw self.isLost
                ? PostgresError(.connectionLost, "the connection was lost", serverMessage: message)
                : PostgresError(.misuse, "the statement could not be sent", serverMessage: message)
        }
        while true {
            let state = PQflush(self.handle)
            // A flush that fails is not thrown here, because the server may have sent the reason before it closed.
            guard state == 1 else { return }
            let events = try self.wait(for: Int16(POLLIN | POLLOUT), by: deadline)
            if events & Int16(POLLIN) != 0, PQconsumeInput(self.handle) == 0 { return }
        }
    }

    /// Waits for the running statement and returns its last result, or throws its first error.
    ///
    /// - Parameter body: Is called with each row of a statement that was sent in single-row mode.
    func finish(
        by deadline: Deadline, eachRow body: (ResultHandle) -> Void = { _ in }
    ) throws(PostgresError) -> ResultHandle {
        var last: ResultHandle?
        var failure: PostgresError?
        while let result = try self.nextResult(by: deadline) {
            switch result.status {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
                last = result
            case PGRES_SINGLE_TUPLE:
                body(result)
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                var error = PostgresError(.misuse, "COPY is not possible here")
                error.endsConnection = true
                throw error
            default:
                failure = failure ?? PostgresError(result: result, connectionIsLost: self.isLost)
            }
        }
        if let failure { throw failure }
        guard let last else { throw PostgresError(.connectionLost, "the connection was lost") }
        return last
    }

    /// Returns the next result, or `nil` when the server is ready for another statement.
    func nextResult(by deadline: Deadline) throws(PostgresError) -> ResultHandle? {
        while PQisBusy(self.handle) == 1 {
            // If the connection is lost, PQgetResult returns an error result immediately.
            guard try self.readMore(by: deadline) else { break }
        }
        return PQgetResult(self.handle).map { ResultHandle($0) }
    }

    /// Waits for data from the server and reads it; returns false if the connection is lost.
    func readMore(by deadline: Deadline) throws(PostgresError) -> Bool {
        _ = try self.wait(for: Int16(POLLIN), by: deadline)
        return PQconsumeInput(self.handle) == 1
    }

    /// Whether the server still has the idle connection open, as far as this can be known without a query.
    func isAlive() -> Bool {
        guard !self.isLost else { return false }
        var descriptor = pollfd(fd: PQsocket(self.handle), events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, 0) > 0 else { return true }
        // Without a statement the server sends only parameter changes, notices, or the reason for closing.
        return PQconsumeInput(self.handle) == 1 && !self.isLost && self.isStillOpen()
    }

    /// Whether the server has sent something that was not read yet, or closed the connection.
    func hasReply() -> Bool {
        var descriptor = pollfd(fd: PQsocket(self.handle), events: Int16(POLLIN), revents: 0)
        return self.isLost || poll(&descriptor, 1, 0) > 0
    }

    /// Whether the server hasn't closed the stream, which it may do some time after it sent the reason.
    private func isStillOpen() -> Bool {
        var byte: UInt8 = 0
        let count = recv(PQsocket(self.handle), &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count > 0 || (count < 0 && [EAGAIN, EWOULDBLOCK, EINTR].contains(errno))
    }

    private func wait(for events: Int16, by deadline: Deadline) throws(PostgresError) -> Int16 {
        // With TLS, OpenSSL may have buffered bytes that poll can't see, so each poll is short.
        let limit: Int32 = PQsslInUse(self.handle) == 1 ? 20 : .max
        while true {
            var descriptor = pollfd(fd: PQsocket(self.handle), events: events, revents: 0)
            let count = poll(&descriptor, 1, deadline.pollTimeout(atMost: limit))
            if count > 0 { return descriptor.revents }
            if deadline.hasPassed { throw PostgresError(.timeout, "no response from the server within the time limit") }
            if count == 0 { return 0 }
        }
    }
}

/// A point in time by which a blocking call has to end.
struct Deadline {
    private let end: ContinuousClock.Instant

    init(after duration: Duration) {
        self.end = ContinuousClock.now + duration
    }

    var hasPassed: Bool { ContinuousClock.now >= self.end }

    /// Returns the remaining milliseconds for poll(2), rounded up; 0 if the deadline has passed.
    func pollTimeout(atMost limit: Int32 = .max) -> Int32 {
        let left = (self.end - ContinuousClock.now).milliseconds
        return Int32(clamping: max(0, min(left, Int64(limit))))
    }
}
