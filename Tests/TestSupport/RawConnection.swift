import Foundation
import Glibc

/// A TCP connection that sends arbitrary bytes at any pace, which no client library allows.
package final class RawConnection: Sendable {
    private let descriptor: Int32

    /// Connects to a port of the loopback interface.
    ///
    /// - Parameter receiveBuffer: The size of the system's receive buffer in bytes; 0 keeps the default.
    package init(port: Int, receiveBuffer: Int32 = 0) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var size = receiveBuffer
        if size > 0 {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw Program.Failed(message: "connect: \(String(cString: strerror(errno)))")
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit {
        close(descriptor)
    }

    /// Sends all bytes, and returns how many the system accepted before the other side closed or accepted none for the
    /// time of `timeout`.
    @discardableResult
    package func send(_ bytes: [UInt8], timeout: Duration = .seconds(10)) async -> Int {
        var sent = 0
        var deadline = ContinuousClock.now + timeout
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
                deadline = .now + timeout
            } else if errno == EAGAIN, ContinuousClock.now < deadline {
                try? await Task.sleep(for: .milliseconds(2))
            } else {
                break
            }
        }
        return sent
    }

    @discardableResult
    package func send(_ text: String) async -> Int {
        await send(Array(text.utf8))
    }

    /// Closes the sending direction.
    package func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads until the other side closes or `isEnough` returns true; returns nil if the connection was still open after
    /// `timeout`.
    package func receive(
        timeout: Duration = .seconds(15), until isEnough: (String) -> Bool = { _ in false }
    ) async -> String? {
        await read(timeout: timeout) { isEnough(String(decoding: $0, as: UTF8.self)) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads until the other side closes, and returns whether what came last was `end`, within `timeout`. It is quick for
    /// megabytes, too.
    package func receives(end: String, timeout: Duration) async -> Bool {
        let end = Array(end.utf8)
        return await read(timeout: timeout) { $0.suffix(end.count).elementsEqual(end) }?.suffix(end.count)
            .elementsEqual(end) ?? false
    }

    private func read(timeout: Duration, until isEnough: ([UInt8]) -> Bool) async -> [UInt8]? {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let deadline = ContinuousClock.now + timeout
        while ContinuousClock.now < deadline {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                received += buffer[..<count]
                if isEnough(received) { return received }
            } else if count < 0, errno == EAGAIN {
                try? await Task.sleep(for: .milliseconds(2))
            } else {
                return received
            }
        }
        return nil
    }

    /// Whether the other side closes the connection within a time.
    package func closes(within timeout: Duration = .seconds(15)) async -> Bool {
        await receive(timeout: timeout) != nil
    }
}
