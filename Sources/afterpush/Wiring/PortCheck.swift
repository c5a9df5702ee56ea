import Foundation

/// Checks early that the server can listen on its address and port, for a clear error.
enum PortCheck {
    struct Unavailable: Error, CustomStringConvertible {
        enum Cause {
            /// Another program listens there.
            case taken
            /// The program may not open the port.
            case forbidden
            /// No network interface of the machine has the address.
            case foreignAddress
        }

        let host: String
        let port: Int
        let cause: Cause

        var description: String {
            switch cause {
            case .taken:
                "\(host):\(port) is in use by another program; choose a port with --port, or --port 0 for a free one"
            case .forbidden:
                "port \(port) can't be opened: permission denied; choose another one with --port; ports below 1024 need "
                    + "CAP_NET_BIND_SERVICE, see docs/install.md"
            case .foreignAddress:
                "\(host) is not an address of this machine; choose one with --host"
            }
        }
    }

    /// Throws `Unavailable` if the server can't listen there. Port 0 means any free port.
    static func require(_ host: String, _ port: Int) throws {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        // For a name other than localhost, the server itself reports the error.
        let address = host == "localhost" ? "127.0.0.1" : host
        guard getaddrinfo(address, String(port), &hints, &first) == 0, let found = first?.pointee else { return }
        defer { freeaddrinfo(first) }
        let descriptor = socket(found.ai_family, found.ai_socktype, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var reuse: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, found.ai_addr, found.ai_addrlen) != 0 else { return }
        switch errno {
        case EADDRINUSE: throw Unavailable(host: host, port: port, cause: .taken)
        case EACCES: throw Unavailable(host: host, port: port, cause: .forbidden)
        case EADDRNOTAVAIL: throw Unavailable(host: host, port: port, cause: .foreignAddress)
        default: return
        }
    }
}
