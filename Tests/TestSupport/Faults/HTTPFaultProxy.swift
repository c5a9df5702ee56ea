import Foundation
import Glibc
import Synchronization

/// A proxy between devices and a collector that imitates faulty networks and overloaded servers.
///
/// Each connection carries one request, which is read completely before the chosen fault is applied.
package final class HTTPFaultProxy: Sendable {
    package enum Fault: CaseIterable, Sendable {
        case pass
        /// The request is not forwarded, and the connection is reset.
        case drop
        /// The request is forwarded, and the connection is reset instead of the response.
        case dropResponse
        /// The request is forwarded, and half of the response is returned.
        case cutResponse
        /// The request is forwarded late.
        case delay
        /// The request is forwarded twice, and the second response is returned.
        case duplicate
        /// The request is not forwarded, and the response is of the proxy's own.
        case tooMany, internalError, unavailable
        /// The request is forwarded, and the response is of the proxy's own.
        case storedButUnavailable
    }

    package let port: Int
    private let upstream: Int
    private let choose: @Sendable () -> Fault
    private let isClosed = Atomic(false)
    private let counts = Mutex<[Fault: Int]>([:])

    package init(to upstream: Int, choose: @escaping @Sendable () -> Fault) throws {
        let listener = Sockets.tcp()
        guard let port = Sockets.listen(listener) else {
            Glibc.close(listener)
            throw Program.Failed(message: "the proxy can't listen")
        }
        self.port = port
        self.upstream = upstream
        self.choose = choose
        Thread.detachNewThread { self.serve(listener) }
    }

    /// The number of times that each fault happened.
    package var faults: [Fault: Int] { counts.withLock { $0 } }

    package func close() {
        isClosed.store(true, ordering: .releasing)
    }

    private func serve(_ listener: Int32) {
        while !isClosed.load(ordering: .acquiring) {
            guard Sockets.isReadable(listener, within: 50) else { continue }
            let client = accept(listener, nil, nil)
            guard client >= 0 else { continue }
            Thread.detachNewThread {
                self.handle(client)
                Glibc.close(client)
            }
        }
        Glibc.close(listener)
    }

    private func handle(_ client: Int32) {
        guard let request = Self.message(from: client) else { return }
        let fault = choose()
        counts.withLock { $0[fault, default: 0] += 1 }
        switch fault {
        case .drop: Sockets.reset(client)
        case .tooMany: respond(client, 429)
        case .internalError: respond(client, 500)
        case .unavailable: respond(client, 503)
        case .delay:
            usleep(30_000)
            forward(request, to: client, times: 1)
        case .duplicate: forward(request, to: client, times: 2)
        case .pass: forward(request, to: client, times: 1)
        case .dropResponse:
            _ = exchange(request)
            Sockets.reset(client)
        case .storedButUnavailable:
            _ = exchange(request)
            respond(client, 503)
        case .cutResponse:
            if let bytes = exchange(request) { _ = Sockets.send(Array(bytes.prefix(bytes.count / 2)), to: client) }
            // Bytes already sent arrive before the end of the connection or not at all.
            if Bool.random() { Sockets.reset(client) }
        }
    }

    private func respond(_ client: Int32, _ status: Int) {
        let text = """
            HTTP/1.1 \(status) Fault\r\nContent-Length: 2\r\nRetry-After: 0\r\nConnection: close\r\n\r\n{}
            """
        _ = Sockets.send(Array(text.utf8), to: client)
    }

    private func forward(_ request: [UInt8], to client: Int32, times: Int) {
        var reply: [UInt8]?
        for _ in 0..<times { reply = exchange(request) }
        guard let reply else { return Sockets.reset(client) }
        _ = Sockets.send(reply, to: client)
    }

    /// Forwards a request over a new connection and returns the collector's response.
    private func exchange(_ request: [UInt8]) -> [UInt8]? {
        guard let server = Sockets.connect(.port(upstream)) else { return nil }
        defer { Glibc.close(server) }
        guard Sockets.send(request, to: server) else { return nil }
        return Self.message(from: server)
    }

    /// Reads a request or a response with its whole body by its Content-Length.
    private static func message(from descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            guard Sockets.isReadable(descriptor, within: 20_000) else { return nil }
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
            if let length = length(of: bytes), bytes.count >= length { return bytes }
        }
    }

    /// The total size of a message in bytes; nil while its head is incomplete.
    private static func length(of bytes: [UInt8]) -> Int? {
        guard let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).lowercased()
        let length = lines.components(separatedBy: "\r\n").first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
        return head.upperBound + (length ?? 0)
    }
}
