import Foundation
import Glibc
import LocalPostgres

/// PgBouncer in front of the tests' PostgreSQL, in transaction mode: each transaction may run on another connection to the
/// server.
package final class PgBouncer: Sendable {
    private let server: ServerProcess
    private let port: Int

    /// Starts it and waits until it listens.
    ///
    /// - Parameter poolSize: The number of connections to the server for each database, which all clients share.
    package init(poolSize: Int = 3) async throws {
        let cluster = try await TestCluster.shared.value
        guard let socket = cluster.conninfo.firstMatch(of: /host='([^']+)'/)?.1 else {
            throw Program.Failed(message: "the cluster has no socket: \(cluster.conninfo)")
        }
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        chmod(directory, 0o755)
        port = try Sockets.freePort()
        // It refuses to run as root, and only the cluster's user may connect to the socket.
        var status = stat()
        guard stat(String(socket), &status) == 0 else { throw Program.Failed(message: "no directory \(socket)") }
        let user = getuid() == 0 ? getpwuid(status.st_uid).map { "user = " + String(cString: $0.pointee.pw_name) } : nil
        try "\"afterpush\" \"\"\n".write(toFile: directory + "/users", atomically: true, encoding: .utf8)
        try """
        [databases]
        * = host=\(socket)
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = \(port)
        unix_socket_dir =
        auth_type = trust
        auth_file = \(directory)/users
        pool_mode = transaction
        default_pool_size = \(poolSize)
        max_client_conn = 200
        \(user ?? "")

        """.write(toFile: directory + "/pgbouncer.ini", atomically: true, encoding: .utf8)
        server = try await ServerProcess(
            ["/usr/sbin/pgbouncer", "-q", directory + "/pgbouncer.ini"], port: port, directory: directory)
    }

    /// The connection string of a database of the tests' PostgreSQL, through this PgBouncer.
    package func conninfo(_ direct: String) -> String {
        direct.replacing(/host='[^']+'/, with: "host=127.0.0.1").replacing(/port=[0-9]+/, with: "port=\(port)")
    }
}
