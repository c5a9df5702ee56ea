import Foundation
import Glibc

/// A web site on the loopback interface with a file for each path.
package final class PageServer: Sendable {
    package let port: Int
    private let listener: Int32
    private let files: [String: String]

    package var url: String { "http://127.0.0.1:\(port)" }

    /// Starts a server on a free port.
    ///
    /// - Parameter files: The files by path; those that end with `.js` are scripts, and all others are HTML.
    package init(_ files: [String: String]) throws {
        listener = Sockets.tcp()
        guard let port = Sockets.listen(listener) else {
            Glibc.close(listener)
            throw Program.Failed(message: "the site can't listen")
        }
        self.port = port
        self.files = files
        let descriptor = listener
        Thread.detachNewThread { Self.serve(descriptor, files) }
    }

    package func close() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private static func serve(_ listener: Int32, _ files: [String: String]) {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            // Browsers open connections that they may never use.
            Thread.detachNewThread {
                answer(on: connection, files)
                Glibc.close(connection)
            }
        }
        Glibc.close(listener)
    }

    private static func answer(on connection: Int32, _ files: [String: String]) {
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        guard Sockets.isReadable(connection, within: 30_000) else { return }
        let count = recv(connection, &chunk, chunk.count, 0)
        guard count > 0 else { return }
        let path = String(decoding: chunk[..<count], as: UTF8.self).split(separator: " ").dropFirst().first ?? "/"
        let body = files[String(path)]
        let type = path.hasSuffix(".js") ? "text/javascript" : "text/html"
        let head = """
            HTTP/1.1 \(body == nil ? "404 Not Found" : "200 OK")\r\nContent-Type: \(type)\r\n\
            Content-Length: \(body?.utf8.count ?? 0)\r\nConnection: close\r\n\r\n
            """
        _ = Sockets.send(Array((head + (body ?? "")).utf8), to: connection)
    }
}
