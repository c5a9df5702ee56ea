import CLibpq
@preconcurrency import Dispatch
import Synchronization

/// What it takes to ask the server, over a connection of its own, to cancel what a connection is doing.
///
/// Safe to share: libpq documents PQcancel as callable from any thread, and nothing else touches the pointer.
final class CancelHandle: @unchecked Sendable {
    private let pointer: OpaquePointer
    /// PQcancel has no time limit, so this bounds the threads that a hanging server can block.
    private static let limit = 8
    private static let running = Mutex(0)

    init?(_ connection: OpaquePointer) {
        guard let pointer = PQgetCancel(connection) else { return nil }
        self.pointer = pointer
    }

    deinit {
        PQfreeCancel(self.pointer)
    }

    /// Sends the request in the background; says nothing about whether it arrives, or in time.
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
