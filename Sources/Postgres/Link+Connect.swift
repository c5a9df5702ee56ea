import CLibpq
import Glibc

extension Link {
    /// Connects to the first host that lets us, giving each `timeout`.
    static func connect(_ string: ConnectionString, timeout: Duration) throws(PostgresError) -> Link {
        var failure = PostgresError(.connect, "cannot connect")
        for options in string.attempts {
            do {
                return try Self.connect(options, by: Deadline(after: timeout))
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private static func connect(_ options: [String: String], by deadline: Deadline) throws(PostgresError) -> Link {
        guard let handle = Self.start(options) else { throw PostgresError(.connect, "out of memory") }
        // libpq's own writes to standard error have no place in a server's log, and may quote values.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        do {
            try Self.complete(handle, by: deadline)
        } catch {
            PQfinish(handle)
            throw error
        }
        return Link(handle)
    }

    private static func start(_ options: [String: String]) -> OpaquePointer? {
        let copies = options.map { (keyword: strdup($0.key), value: strdup($0.value)) }
        defer {
            for copy in copies {
                free(copy.keyword)
                free(copy.value)
            }
        }
        let keywords = copies.map { UnsafePointer($0.keyword) } + [nil]
        let values = copies.map { UnsafePointer($0.value) } + [nil]
        return PQconnectStartParams(keywords, values, 0)
    }

    private static func complete(_ handle: OpaquePointer, by deadline: Deadline) throws(PostgresError) {
        guard PQstatus(handle) != CONNECTION_BAD else { throw Self.failure(handle) }
        var state = PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            if state == PGRES_POLLING_FAILED { throw Self.failure(handle) }
            let events = Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT)
            // The socket may be another one after each step: the next address, or without TLS.
            var descriptor = pollfd(fd: PQsocket(handle), events: events, revents: 0)
            let count = poll(&descriptor, 1, deadline.pollTimeout())
            if count > 0 { state = PQconnectPoll(handle) }
            if count <= 0, deadline.hasPassed {
                throw PostgresError(.connect, "cannot connect: no response within the time limit")
            }
        }
    }

    private static func failure(_ handle: OpaquePointer) -> PostgresError {
        let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        return PostgresError(.connect, ConnectFailure.reason(message), serverMessage: message)
    }
}
