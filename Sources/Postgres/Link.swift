import CLibpq
import Glibc

/// A connected libpq handle whose calls all end by a deadline; belongs to one `Connection`, used on its queue only.
final class Link {
    let handle: OpaquePointer

    /// - Parameter handle: of a connection that has been made; this object closes it.
    init(_ handle: OpaquePointer) {
        self.handle = handle
        // Otherwise sending a large statement blocks for as long as the server doesn't read.
        PQsetnonblocking(handle, 1)
    }

    deinit {
        PQfinish(self.handle)
    }

    var transactionStatus: PGTransactionStatusType { PQtransactionStatus(self.handle) }
    var isLost: Bool { PQstatus(self.handle) != CONNECTION_OK }
    var backendPID: Int32 { PQbackendPID(self.handle) }

    /// Sends a statement and returns its last result, once the server has finished with all of it.
    ///
    /// - Parameter send: one of libpq's PQsend functions; returns 1 if it could.
    func perform(by deadline: Deadline, _ send: (OpaquePointer) -> Int32) throws(PostgresError) -> ResultHandle {
        try self.start(by: deadline, send)
        return try self.finish(by: deadline)
    }

    /// Sends a statement, without waiting for an answer.
    func start(by deadline: Deadline, _ send: (OpaquePointer) -> Int32) throws(PostgresError) {
        guard send(self.handle) == 1 else {
            let message = PQerrorMessage(self.handle).map { String(cString: $0) }
            throw self.isLost
                ? PostgresError(.connectionLost, "the connection was lost", serverMessage: message)
                : PostgresError(.misuse, "the statement could not be sent", serverMessage: message)
        }
        while true {
            let state = PQflush(self.handle)
            // A failed flush is not the end: the server's last words may be there to read.
            guard state == 1 else { return }
            let events = try self.wait(for: Int16(POLLIN | POLLOUT), by: deadline)
            if events & Int16(POLLIN) != 0, PQconsumeInput(self.handle) == 0 { return }
        }
    }

    /// The last result of the statement under way; the first error, if there was any.
    func finish(by deadline: Deadline) throws(PostgresError) -> ResultHandle {
        var last: ResultHandle?
        var failure: PostgresError?
        while let result = try self.nextResult(by: deadline) {
            switch result.status {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
                last = result
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

    /// The next result, or nil when the server is ready for another statement.
    func nextResult(by deadline: Deadline) throws(PostgresError) -> ResultHandle? {
        while PQisBusy(self.handle) == 1 {
            // When the connection is lost PQgetResult says so at once, in a result.
            guard try self.readMore(by: deadline) else { break }
        }
        return PQgetResult(self.handle).map { ResultHandle($0) }
    }

    /// Waits for bytes of the server and takes them in; false if the connection is lost.
    func readMore(by deadline: Deadline) throws(PostgresError) -> Bool {
        _ = try self.wait(for: Int16(POLLIN), by: deadline)
        return PQconsumeInput(self.handle) == 1
    }

    /// Whether the idle connection is still open at the other end, as far as is known without a query.
    func isAlive() -> Bool {
        guard !self.isLost else { return false }
        var descriptor = pollfd(fd: PQsocket(self.handle), events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, 0) > 0 else { return true }
        // What comes unasked is a parameter's change, a notice, or a farewell.
        return PQconsumeInput(self.handle) == 1 && !self.isLost && self.isStillOpen()
    }

    /// Whether the other end hasn't closed: a farewell and the end of the stream may come apart.
    private func isStillOpen() -> Bool {
        var byte: UInt8 = 0
        let count = recv(PQsocket(self.handle), &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count > 0 || (count < 0 && [EAGAIN, EWOULDBLOCK, EINTR].contains(errno))
    }

    private func wait(for events: Int16, by deadline: Deadline) throws(PostgresError) -> Int16 {
        // OpenSSL may hold bytes that the socket no longer shows, so with TLS never trust poll for long.
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
