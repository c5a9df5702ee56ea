import Foundation
import Glibc
import Synchronization

/// A network that can be broken: carries connections from a port of its own to another place, as long as it is told to.
///
/// Plain sockets and threads, so that it knows nothing of what it carries and fails in no way of its own.
package final class TCPProxy: Sendable {
    /// Where connections go.
    package enum Upstream: Sendable {
        case port(Int)
        case unixSocket(path: String)
    }

    package enum Mode: Sendable {
        case pass
        /// Nothing gets through in either direction, and nobody is told: what was sent meanwhile arrives afterwards.
        case drop
        /// Requests arrive, replies do not, and nobody is told.
        case dropReplies
        /// Connections that stand are reset, and so are new ones.
        case reset
        /// Every piece in either direction comes so much later.
        case delay(Duration)
        /// Requests that match arrive; instead of the reply the connection is reset, so many times in all.
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

    /// How many connections were cut instead of being answered.
    package var cuts: Int { state.withLock { $0.cuts } }

    /// Takes no more connections, and resets those that stand.
    package func close() {
        state.withLock { $0.isClosed = true }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Takes one of the cuts that are left.
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
            Thread.detachNewThread { connection.carryRequests() }
            Thread.detachNewThread { connection.carryReplies() }
        }
        Glibc.close(listener)
    }
}
