import Foundation
import Glibc
import Synchronization

/// A network that can fail: it forwards connections from a port of its own to another address.
///
/// It uses plain sockets and threads, so that it is independent of what it forwards and adds no failures of its own.
package final class TCPProxy: Sendable {
    /// The address to which connections are forwarded.
    package enum Upstream: Sendable {
        case port(Int)
        case unixSocket(path: String)
    }

    package enum Mode: Sendable {
        case pass
        /// Forwards nothing in either direction, without an error. Bytes sent meanwhile arrive afterwards.
        case drop
        /// Forwards requests but no replies, without an error.
        case dropReplies
        /// Resets existing and new connections.
        case reset
        /// Delays bytes in either direction by this time.
        case delay(Duration)
        /// Forwards requests that match, and resets the connection instead of the reply, for a number of times.
        case cutReplies(left: Int, matching: @Sendable ([UInt8]) -> Bool)
    }

    package let port: Int
    private let upstream: Upstream
    private let state: Mutex<State>

    struct State {
        var mode = Mode.pass
        var cuts = 0
        var isClosed = false
    }

    package init(to upstream: Upstream) throws {
        let listener = Sockets.tcp()
        guard let port = Sockets.listen(listener) else {
            Glibc.close(listener)
            throw Program.Failed(message: "the proxy can't listen")
        }
        self.port = port
        self.upstream = upstream
        state = Mutex(State())
        Thread.detachNewThread { self.serve(listener) }
    }

    package var mode: Mode {
        get { state.withLock { $0.mode } }
        set { state.withLock { $0.mode = newValue } }
    }

    /// The number of connections that were reset instead of the reply.
    package var cuts: Int { state.withLock { $0.cuts } }

    /// Accepts no more connections and resets existing ones.
    package func close() {
        state.withLock { $0.isClosed = true }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Uses one of the remaining cuts; returns false if all are used.
    func takeCut() -> Bool {
        state.withLock { state in
            guard case .cutReplies(let left, let matching) = state.mode, left > 0 else { return false }
            state.mode = .cutReplies(left: left - 1, matching: matching)
            state.cuts += 1
            return true
        }
    }

    private func serve(_ listener: Int32) {
        while !isClosed {
            guard Sockets.isReadable(listener, within: 50) else { continue }
            let client = accept(listener, nil, nil)
            guard client >= 0 else { continue }
            if case .reset = mode {
                Sockets.reset(client)
                Glibc.close(client)
                continue
            }
            guard let server = Sockets.connect(upstream) else {
                Sockets.reset(client)
                Glibc.close(client)
                continue
            }
            let connection = ProxiedConnection(client: client, server: server, proxy: self)
            Thread.detachNewThread { connection.forwardRequests() }
            Thread.detachNewThread { connection.forwardReplies() }
        }
        Glibc.close(listener)
    }
}

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
