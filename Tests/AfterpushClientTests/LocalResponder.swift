import Foundation
import Glibc
import Synchronization

/// An HTTP server on the loopback interface that sends its responses one after the other and repeats the last one.
final class LocalResponder: Sendable {
    struct Response {
        var status: Int
        var headers = ""
        var body: String
        /// Whether the body is sent again and again until the client disconnects.
        ///
        /// It is sent no faster than over a network: libcurl, which URLSession uses on Linux, reads a socket until it
        /// is empty and can't be cancelled before. A server that sends faster than it reads would block it forever.
        var isEndless = false
        /// Whether further requests may use the connection.
        var keepsConnection = false
        /// The bytes to send in place of a response, and those to send again and again after them, as fast as possible.
        var raw: (start: [UInt8], repeated: [UInt8])?

        static func raw(_ start: String, repeated: String = "") -> Response {
            raw(Array(start.utf8), repeated: Array(repeated.utf8))
        }

        static func raw(_ start: [UInt8], repeated: [UInt8] = []) -> Response {
            Response(status: 1, body: "", raw: (start, repeated))
        }

        /// Sends nothing until the client disconnects.
        static let silence = Response(status: 0, body: "")
    }

    let url: URL
    private let listener: Int32
    private let responses: [Response]
    private let received = Mutex<[String]>([])
    private let accepted = Mutex(0)

    /// The requests received so far, heads and bodies.
    var requests: [String] { received.withLock { $0 } }

    /// The number of connections so far.
    var connections: Int { accepted.withLock { $0 } }

    init(_ responses: [Response]) throws {
        self.responses = responses
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) | listen(descriptor, 64) | getsockname(descriptor, $0, &length)
            }
        }
        guard status == 0, let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))") else {
            throw POSIXError(.EADDRNOTAVAIL)
        }
        self.url = url
        Thread.detachNewThread { self.serve() }
    }

    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func serve() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            accepted.withLock { $0 += 1 }
            while respond(on: connection) {}
            Glibc.close(connection)
        }
        Glibc.close(listener)
    }

    /// Serves a request and returns whether another one may follow. Connections are served one at a time, in order.
    private func respond(on connection: Int32) -> Bool {
        guard let request = read(from: connection) else { return false }
        let index = received.withLock { received in
            received.append(request)
            return received.count - 1
        }
        let response = responses[min(index, responses.count - 1)]
        guard response.status > 0 else {
            _ = read(from: connection)
            return false
        }
        if let raw = response.raw {
            guard Self.send(raw.start, on: connection) else { return false }
            while !raw.repeated.isEmpty, Self.send(raw.repeated, on: connection) {}
            return false
        }
        let length = response.isEndless ? "" : "Content-Length: \(response.body.utf8.count)\r\n"
        let kept = response.keepsConnection ? "keep-alive" : "close"
        let head = "HTTP/1.1 \(response.status) Reason\r\n\(length)Connection: \(kept)\r\n\(response.headers)\r\n"
        _ = Self.send(head + response.body, on: connection)
        while response.isEndless, Self.send(response.body, on: connection) { Thread.sleep(forTimeInterval: 0.002) }
        return response.keepsConnection
    }

    private static func send(_ text: String, on connection: Int32) -> Bool {
        text.withCString { Glibc.send(connection, $0, strlen($0), Int32(MSG_NOSIGNAL)) } >= 0
    }

    private static func send(_ bytes: [UInt8], on connection: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let step = bytes[done...].withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard step > 0 else { return false }
            done += step
        }
        return true
    }

    private func read(from connection: Int32) -> String? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
            let text = String(decoding: bytes, as: UTF8.self)
            guard let head = text.range(of: "\r\n\r\n") else { continue }
            let length = text[..<head.lowerBound].split(separator: "\r\n")
                .first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.split(separator: " ").last ?? "") }
            if text[head.upperBound...].utf8.count >= length ?? 0 { return text }
        }
    }
}
