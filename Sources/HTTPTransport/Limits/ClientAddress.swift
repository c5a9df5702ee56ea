package import NIOCore

/// The IP address of a client, whose `subscriber` is the address that limits apply to.
package struct ClientAddress: Hashable, Sendable {
    /// The upper half of the IPv6 address. IPv4 addresses are mapped into `::ffff:0:0/96`.
    let high: UInt64
    let low: UInt64

    private static let mapped: UInt64 = 0xFFFF << 32

    /// Takes the address of a connection. Connections without an IP address, as over Unix sockets, share one value.
    package init(_ address: SocketAddress?) {
        // The bytes are read at their offsets in `sockaddr_in` and `sockaddr_in6`, in network order.
        switch address {
        case .v4(let address):
            let bits = SocketAddress.v4(address).withSockAddr { start, _ in
                UnsafeRawPointer(start).loadUnaligned(fromByteOffset: 4, as: UInt32.self)
            }
            self.init(high: 0, low: Self.mapped | UInt64(UInt32(bigEndian: bits)))
        case .v6(let address):
            let (high, low) = SocketAddress.v6(address).withSockAddr { start, _ in
                let start = UnsafeRawPointer(start)
                return (
                    start.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                    start.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
                )
            }
            self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
        case .unixDomainSocket, nil: self.init(high: 0, low: 0)
        }
    }

    /// Parses an address as in `X-Forwarded-For`, without a port, and returns `nil` for other texts.
    package init?(text: some StringProtocol) {
        guard let address = try? SocketAddress(ipAddress: String(text), port: 0) else { return nil }
        self.init(address)
    }

    init(v4 bits: UInt32) {
        self.init(high: 0, low: Self.mapped | UInt64(bits))
    }

    init(v6Low low: UInt64) {
        self.init(high: 0, low: low)
    }

    /// The address that limits apply to: an IPv4 address, or the /56 network of an IPv6 address.
    ///
    /// Providers give a household a /56 or more, and a server or a phone a /64. With /64, a household would be 256
    /// clients. With /56, up to 256 phones of one provider share what one address may use, which is ample for them.
    package var subscriber: ClientAddress {
        isV4 || high == 0 ? self : prefix(56)
    }

    var isV4: Bool { high == 0 && low >> 32 == 0xFFFF }

    private init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    /// Returns the address with all bits after this prefix set to 0; the length is that of IPv6.
    func prefix(_ bits: Int) -> ClientAddress {
        func mask(_ bits: Int) -> UInt64 { bits <= 0 ? 0 : bits >= 64 ? .max : ~(UInt64.max >> UInt64(bits)) }
        return ClientAddress(high: high & mask(bits), low: low & mask(bits - 64))
    }
}

extension ClientAddress: CustomStringConvertible {
    /// The address as text, such as `192.0.2.1` or `2001:db8::1`.
    package var description: String {
        var bytes = ByteBuffer()
        if !isV4 { bytes.writeInteger(high) }
        if isV4 { bytes.writeInteger(UInt32(truncatingIfNeeded: low)) } else { bytes.writeInteger(low) }
        return (try? SocketAddress(packedIPAddress: bytes, port: 0))?.ipAddress ?? "unknown"
    }
}
