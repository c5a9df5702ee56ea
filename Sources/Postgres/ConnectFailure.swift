/// Why no connection could be made, in words that quote nothing of the connection string.
///
/// libpq gives no code for it, only a text that names host, port, user and database.
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
