import Foundation
import Glibc
import Synchronization

/// A server on the loopback interface that records what is posted to it, and answers as it is told.
package final class WebhookReceiver: Sendable {
    package enum Answer: Sendable {
        case status(Int)
        case redirect(to: String)
        /// Informational headers of about so many bytes, and then the status 204.
        case hints(bytes: Int)
        /// No answer until the client gives up.
        case nothing
        /// The answers of a mail server.
        case mail
    }

    package struct Request: Sendable {
        package let path: String
        package let headers: [String: String]
        package let body: String
    }

    package let port: Int
    private let listener: Int32
    private let requests = Mutex<[Request]>([])
    private let connections = Mutex(0)
    private let answer: @Sendable (_ path: String, _ earlier: Int) -> Answer

    package var url: String { "http://127.0.0.1:\(port)" }
    /// The requests so far, in the order in which they came.
    package var received: [Request] { requests.withLock { $0 } }
    /// The number of accepted connections.
    package var accepted: Int { connections.withLock { $0 } }

    package func received(at path: String) -> [Request] { received.filter { $0.path == path } }

    /// Starts a server on a free port.
    ///
    /// - Parameter answer: Returns the answer to a request, by its path and the number of earlier ones to the path.
    package init(_ answer: @escaping @Sendable (_ path: String, _ earlier: Int) -> Answer) throws {
        listener = Sockets.tcp()
        guard let port = Sockets.listen(listener) else {
            Glibc.close(listener)
            throw Program.Failed(message: "the receiver can't listen")
        }
        self.port = port
        self.answer = answer
        Thread.detachNewThread { self.serve() }
    }

    package func close() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            connections.withLock { $0 += 1 }
            Thread.detachNewThread {
                if case .mail = self.answer("", 0) { self.talk(on: connection) } else { self.reply(on: connection) }
                Glibc.close(connection)
            }
        }
        Glibc.close(listener)
    }

    private func reply(on connection: Int32) {
        var bytes: [UInt8] = []
        while let request = Self.request(bytes) == nil ? Self.read(connection) : [] {
            if request.isEmpty { break }
            bytes += request
        }
        guard let request = Self.request(bytes) else { return }
        let earlier = requests.withLock { requests in
            requests.append(request)
            return requests.count { $0.path == request.path } - 1
        }
        let head: String
        switch answer(request.path, earlier) {
        case .status(let status): head = "HTTP/1.1 \(status) Status\r\n"
        case .redirect(let target): head = "HTTP/1.1 302 Found\r\nLocation: \(target)\r\n"
        case .hints(let bytes):
            let field = "Link: <\(String(repeating: "x", count: 1_000))>\r\n"
            let fields = String(repeating: field, count: bytes / field.utf8.count)
            head = "HTTP/1.1 103 Early Hints\r\n\(fields)\r\nHTTP/1.1 204 Status\r\n"
        case .nothing, .mail:
            _ = Self.read(connection)
            return
        }
        _ = Sockets.send(Array((head + "Content-Length: 0\r\nConnection: close\r\n\r\n").utf8), to: connection)
    }

    /// Takes one mail, and records it with its recipient as the path.
    private func talk(on connection: Int32) {
        func say(_ line: String) { _ = Sockets.send(Array((line + "\r\n").utf8), to: connection) }
        say("220 test")
        var recipient = ""
        var text = ""
        var isData = false
        while let bytes = Self.read(connection), !bytes.isEmpty {
            text += String(decoding: bytes, as: UTF8.self)
            if isData {
                guard text.hasSuffix("\r\n.\r\n") else { continue }
                requests.withLock { $0.append(Request(path: recipient, headers: [:], body: text)) }
                isData = false
                say("250 taken")
                text = ""
                continue
            }
            guard text.hasSuffix("\r\n") else { continue }
            if text.hasPrefix("RCPT TO:") { recipient = text.filter { !"\r\n".contains($0) } }
            isData = text.hasPrefix("DATA")
            say(isData ? "354 go on" : text.hasPrefix("QUIT") ? "221 bye" : "250 ok")
            text = ""
        }
    }

    private static func read(_ connection: Int32) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        guard Sockets.isReadable(connection, within: 30_000) else { return nil }
        let count = recv(connection, &chunk, chunk.count, 0)
        return count > 0 ? Array(chunk[..<count]) : nil
    }

    /// Reads a request, or returns nil if it isn't complete.
    private static func request(_ bytes: [UInt8]) -> Request? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        let body = String(text[end.upperBound...])
        guard body.utf8.count >= Int(headers["content-length"] ?? "0") ?? 0 else { return nil }
        let path = lines.first?.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        return Request(path: path, headers: headers, body: body)
    }
}
