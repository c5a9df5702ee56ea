import Foundation

/// Checks early that no other program listens on the port, for a clear error.
enum PortCheck {
    struct Taken: Error, CustomStringConvertible {
        let host: String
        let port: Int

        var description: String {
            "\(host):\(port) is in use by another program; choose a port with --port, or --port 0 for a free one"
        }
    }

    /// Throws `Taken` if the port is in use. Port 0 stands for any free port.
    static func require(_ host: String, _ port: Int) throws {
        guard port != 0 else { return }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var reuse: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        // For a name or an IPv6 address, the server itself reports the error.
        guard inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &address.sin_addr) == 1 else { return }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0, errno == EADDRINUSE { throw Taken(host: host, port: port) }
    }
}
