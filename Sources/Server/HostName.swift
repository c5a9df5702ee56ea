import HTTPTransport

/// The host to which a request is addressed: a name in lower case, or an address.
enum HostName: Hashable, Sendable {
    case name(String)
    case address(ClientAddress)

    /// Parses a host without a port, and returns `nil` for other texts.
    init?(_ text: some StringProtocol) {
        let text = text.hasSuffix(".") ? String(text.dropLast()) : String(text)
        if let address = ClientAddress(text: text) {
            self = .address(address)
            return
        }
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isName, !text.isEmpty else { return nil }
        self = .name(text.lowercased())
    }

    /// Parses the value of `Host` or `:authority`, with or without a port, and returns `nil` for other texts.
    init?(authority: String) {
        var host = authority[...]
        if let colon = host.lastIndex(of: ":"), host[colon...].dropFirst().utf8.allSatisfy({ (48...57).contains($0) }) {
            host = host[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            guard case .address(let address)? = HostName(host.dropFirst().dropLast()), host.contains(":") else {
                return nil
            }
            self = .address(address)
        } else {
            // An IPv6 address without brackets would leave open where the port begins.
            guard !host.contains(":") else { return nil }
            self.init(host)
        }
    }

    /// Whether this is a name or an address by which a machine reaches itself.
    var isLoopback: Bool {
        switch self {
        case .name(let name): name == "localhost" || name.hasSuffix(".localhost")
        // A server on all interfaces listens on 0.0.0.0 and ::, which lead to this machine as well.
        case .address(let address): AddressList.loopback.contains(address) || Self.unspecified.contains(address)
        }
    }

    private static let unspecified = (try? AddressList("0.0.0.0, ::")) ?? .none
}

/// The hosts by which clients may address this server.
package struct AllowedHosts: Sendable, CustomStringConvertible {
    /// An entry that is neither a host name nor an address.
    package struct Invalid: Error {}

    private let hosts: Set<HostName>
    /// The entries as they were given.
    package let description: String

    /// Parses names and addresses without ports, separated by commas.
    package init(_ text: String) throws(Invalid) {
        let items = text.split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
        var hosts: Set<HostName> = []
        for item in items {
            let isBracketed = item.hasPrefix("[") && item.hasSuffix("]")
            guard let host = HostName(isBracketed ? String(item.dropFirst().dropLast()) : item) else { throw Invalid() }
            hosts.insert(host)
        }
        guard !hosts.isEmpty else { throw Invalid() }
        self.hosts = hosts
        description = items.joined(separator: ", ")
    }

    func contains(authority: String?) -> Bool {
        authority.flatMap { HostName(authority: $0) }.map(hosts.contains) ?? false
    }
}
