import Foundation

/// The parts of a test database's connection string.
package struct DatabaseAddress: Sendable {
    package let socketDirectory: String
    package let name: String

    package init(_ conninfo: String) throws {
        guard let host = conninfo.firstMatch(of: /host='?([^' ]+)'?/),
            let name = conninfo.firstMatch(of: /dbname='?([^' ]+)'?/)
        else { throw Program.Failed(message: "no connection string of a test") }
        socketDirectory = String(host.1)
        self.name = String(name.1)
    }

    /// The address to which a proxy in front of the server connects.
    package var upstream: TCPProxy.Upstream { .unixSocket(path: socketDirectory + "/.s.PGSQL.5432") }

    /// The connection string of the same database behind a proxy.
    package func conninfo(through proxy: TCPProxy) -> String {
        "host=127.0.0.1 port=\(proxy.port) user=afterpush dbname=\(name) sslmode=disable gssencmode=disable"
    }
}
