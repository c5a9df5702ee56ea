import CLibpq
@preconcurrency import Dispatch
import Glibc
import Synchronization

/// Asks the server to cancel a connection's current statement, over a separate connection, or cuts the connection.
// Safe: libpq documents that any thread can call PQcancel, and nothing else uses the pointer.
final class CancelHandle: @unchecked Sendable {
    private let pointer: OpaquePointer
    /// A descriptor of the connection's socket that nothing else closes.
    private let socket: Int32
    /// The maximum number of concurrent requests.
    ///
    /// PQcancel has no time limit, so this bounds the number of threads that a hanging server can block.
    private static let limit = 8
    private static let running = Mutex(0)

    init?(_ connection: OpaquePointer) {
        guard let pointer = PQgetCancel(connection) else { return nil }
        self.pointer = pointer
        socket = fcntl(PQsocket(connection), F_DUPFD_CLOEXEC, 0)
    }

    deinit {
        PQfreeCancel(self.pointer)
        if self.socket >= 0 { close(self.socket) }
    }

    /// Ends the connection, so that whoever waits for a reply finds it lost.
    func cut() {
        if self.socket >= 0 { shutdown(self.socket, Int32(SHUT_RDWR)) }
    }

    /// Sends the request in the background, without a guarantee that it arrives, or arrives in time.
    func cancel() {
        let mayRun = Self.running.withLock { running in
            guard running < Self.limit else { return false }
            running += 1
            return true
        }
        guard mayRun else { return }
        DispatchQueue(label: "postgres.cancel").async {
            var message = [CChar](repeating: 0, count: 256)
            _ = PQcancel(self.pointer, &message, Int32(message.count))
            Self.running.withLock { $0 -= 1 }
        }
    }
}
