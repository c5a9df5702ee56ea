import CLibpq
import Glibc

extension Link {
    /// Connects to the first host that accepts the connection.
    ///
    /// - Parameter timeout: The time limit for each host.
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
        // By default libpq writes notices to standard error, where they may quote values.
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
        // As a string, because in a list libpq replaces an empty value by one of the environment.
        PQconnectStart(ConnectionString.text(options))
    }

    private static func complete(_ handle: OpaquePointer, by deadline: Deadline) throws(PostgresError) {
        guard PQstatus(handle) != CONNECTION_BAD else { throw Self.failure(handle) }
        var state = PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            if state == PGRES_POLLING_FAILED { throw Self.failure(handle) }
            let events = Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT)
            // Each step may change the socket, because libpq tries the next address or tries again without TLS.
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

/// Describes why connecting failed, without quoting the connection string.
///
/// libpq has no code for the reason, only a message that names host, port, user and database.
enum ConnectFailure {
    static func reason(_ message: String) -> String {
        let match = Self.known.first { message.contains($0.text) }
        return "cannot connect" + (match.map { ": \($0.reason)" } ?? "")
    }

    private static let known = [
        (text: "Connection refused", reason: "connection refused"),
        (text: "No such file or directory", reason: "no server at the socket"),
        (text: "Permission denied", reason: "permission denied"),
        (text: "could not translate host name", reason: "unknown host name"),
        (text: "starting up", reason: "the server is starting up"),
        (text: "shutting down", reason: "the server is shutting down"),
        (text: "in recovery mode", reason: "the server is recovering"),
        (text: "not yet accepting connections", reason: "the server is starting up"),
        (text: "too many c", reason: "too many connections"),
        (text: "connection slots are reserved", reason: "too many connections"),
        (text: "password", reason: "the password is wrong or missing"),
        (text: "pg_hba.conf", reason: "the server's pg_hba.conf does not allow this connection"),
        (text: "does not exist", reason: "no such role or database"),
        (text: "session is read-only", reason: "the server is read-only"),
        (text: "server is in hot standby mode", reason: "the server is a standby"),
        (text: "certificate", reason: "TLS: the certificate was refused"),
        (text: "SSL", reason: "TLS failed"),
        (text: "No route to host", reason: "no route to the host"),
        (text: "Network is unreachable", reason: "the network is unreachable"),
        (text: "server closed the connection", reason: "the server closed the connection"),
    ]
}
