import Foundation
import Glibc

/// The socket calls that proxies and misbehaving clients need.
package enum Sockets {
    package static func tcp() -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }

    /// Listens on a free port of the loopback interface and returns it.
    static func listen(_ descriptor: Int32) -> Int? {
        let isBound = withLoopback(port: 0) { bind(descriptor, $0, $1) == 0 }
        guard isBound, Glibc.listen(descriptor, 1_024) == 0 else { return nil }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let found = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return found == 0 ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }

    /// A port of the loopback interface on which nothing listens.
    package static func freePort() throws -> Int {
        let descriptor = tcp()
        defer { close(descriptor) }
        guard let port = listen(descriptor) else { throw Program.Failed(message: "there is no free port") }
        return port
    }

    /// A connected descriptor, or nil.
    package static func connect(_ upstream: TCPProxy.Upstream) -> Int32? {
        switch upstream {
        case .port(let port):
            let descriptor = tcp()
            if withLoopback(port: port, { Glibc.connect(descriptor, $0, $1) == 0 }) { return descriptor }
            close(descriptor)
            return nil
        case .unixSocket(let path): return connect(path: path)
        }
    }

    private static func connect(path: String) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        if isConnected { return descriptor }
        close(descriptor)
        return nil
    }

    static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) > 0
    }

    /// Sends all bytes; returns false if the other end has closed.
    package static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Makes the descriptor send a reset when it is closed.
    static func reset(_ descriptor: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    private static func withLoopback(port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
