import Foundation
import Glibc
import Synchronization

/// A connection through a proxy, with two descriptors and a thread for each direction.
final class ProxiedConnection: Sendable {
    private let client: Int32
    private let server: Int32
    private let proxy: TCPProxy
    /// Whether the reply to the current request is to be cut.
    private let isMarked = Mutex(false)

    init(client: Int32, server: Int32, proxy: TCPProxy) {
        self.client = client
        self.server = server
        self.proxy = proxy
    }

    deinit {
        close(client)
        close(server)
    }

    func forwardRequests() {
        forward(from: client, to: server) { bytes in
            if case .cutReplies(let left, let matching) = self.proxy.mode, left > 0, matching(bytes) {
                self.isMarked.withLock { $0 = true }
            }
            return .forward
        }
    }

    func forwardReplies() {
        forward(from: server, to: client) { _ in
            if case .dropReplies = self.proxy.mode { return .swallow }
            guard self.isMarked.withLock({ $0 }), self.proxy.takeCut() else { return .forward }
            return .reset
        }
    }

    private enum Verdict { case forward, swallow, reset }

    private func forward(from source: Int32, to target: Int32, _ verdict: ([UInt8]) -> Verdict) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !proxy.isClosed {
            switch proxy.mode {
            case .reset: return reset()
            case .drop:
                usleep(5_000)
                continue
            default: break
            }
            guard Sockets.isReadable(source, within: 20) else { continue }
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else {
                if count < 0 { reset() }
                shutdown(target, Int32(SHUT_WR))
                return
            }
            let bytes = Array(buffer[..<count])
            if case .delay(let delay) = proxy.mode { usleep(UInt32(delay / .microseconds(1))) }
            // The network may have failed while the bytes were in transit.
            while case .drop = proxy.mode, !proxy.isClosed { usleep(5_000) }
            switch verdict(bytes) {
            case .forward: guard Sockets.send(bytes, to: target) else { return reset() }
            case .swallow: continue
            case .reset: return reset()
            }
        }
        reset()
    }

    private func reset() {
        for descriptor in [client, server] {
            Sockets.reset(descriptor)
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }
}
