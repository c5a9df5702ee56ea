/// A list of addresses and networks, such as `127.0.0.0/8, ::1`.
package struct AddressList: Sendable {
    private struct Network: Sendable {
        let base: ClientAddress
        let bits: Int
    }

    /// An entry that is neither an address nor a network.
    package struct Invalid: Error {
        package let text: String
    }

    package static let none = AddressList(networks: [])

    /// The machine itself. If a proxy runs on it, all clients come from there, and a limit would apply to all of them.
    package static let loopback = AddressList(networks: [
        Network(base: ClientAddress(v4: 127 << 24), bits: 104), Network(base: ClientAddress(v6Low: 1), bits: 128),
    ])

    private let networks: [Network]

    private init(networks: [Network]) {
        self.networks = networks
    }

    /// Parses a list.
    ///
    /// - Parameter text: the entries, separated by commas; `none` alone is the empty list.
    package init(_ text: String) throws(Invalid) {
        var networks: [Network] = []
        for item in text.split(separator: ",") where item.contains(where: { $0 != " " }) {
            let item = item.filter { $0 != " " }
            if item == "none" { continue }
            let parts = item.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count <= 2, let address = ClientAddress(text: parts[0]) else { throw Invalid(text: item) }
            let width = address.isV4 ? 32 : 128
            let length = parts.count == 2 ? Int(parts[1]) : width
            guard let length, (0...width).contains(length) else { throw Invalid(text: item) }
            let bits = length + 128 - width
            networks.append(Network(base: address.prefix(bits), bits: bits))
        }
        self.networks = networks
    }

    package var isEmpty: Bool { networks.isEmpty }

    package func contains(_ address: ClientAddress) -> Bool {
        networks.contains { address.prefix($0.bits) == $0.base }
    }
}

extension [AddressList] {
    /// Returns the address that limits apply to, or `nil` if one of the lists exempts the client.
    func subscriber(of client: ClientAddress) -> ClientAddress? {
        contains { $0.contains(client) } ? nil : client.subscriber
    }
}
