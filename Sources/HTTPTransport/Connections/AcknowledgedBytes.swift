import NIOCore

extension Channel {
    /// The number of bytes that the client's system has acknowledged, or `nil` if this system doesn't say so.
    ///
    /// What has only left the program can be as much as the system's buffers hold, which are filled in large pieces.
    var acknowledgedBytes: Int? {
        let info: EventLoopFuture<TCPInfo>? = (self as? any SocketOptionProvider)?.unsafeGetSocketOption(
            level: .tcp, name: TCPInfo.option)
        var count: Int?
        info?.assumeIsolated().whenSuccess { info in
            if info.acknowledged > 0 { count = Int(clamping: info.acknowledged) }
        }
        return count
    }
}

/// The beginning of Linux's `struct tcp_info` (linux/tcp.h), of which glibc declares less.
private struct TCPInfo {
    /// TCP_INFO
    static let option = NIOBSDSocket.Option(rawValue: 11)

    private let fields: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
    private let last: (UInt64, UInt64, UInt64)
    /// `tcpi_bytes_acked`
    let acknowledged: UInt64
}
