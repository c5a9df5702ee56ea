extension String {
    /// Whether the text is valid as the value of `Host` or `:authority`: a name, an IPv4 address, or an IPv6 address in
    /// brackets, and possibly a port.
    ///
    /// Names must consist of the characters of host names, although the syntax of URLs allows others. Two servers could
    /// read those differently, for example a list of two hosts.
    var isHost: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            var end = 0
            if bytes.first == UInt8(ascii: "[") {
                end = 1
                while end < bytes.count, bytes[end].isPartOfIPv6Address { end += 1 }
                guard end > 1, end < bytes.count, bytes[end] == UInt8(ascii: "]") else { return false }
                end += 1
            } else {
                while end < bytes.count, bytes[end].isPartOfHostName { end += 1 }
                guard end > 0 else { return false }
            }
            guard end < bytes.count else { return true }
            let port = bytes[(end + 1)...]
            return bytes[end] == UInt8(ascii: ":") && port.count <= 5 && port.allSatisfy(\.isDigit)
                && port.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) } <= UInt16.max
        } ?? false
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isPartOfHostName: Bool {
        isLetter(upTo: UInt8(ascii: "z")) || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
            || self == UInt8(ascii: "_")
    }

    fileprivate var isPartOfIPv6Address: Bool {
        isDigit || isLetter(upTo: UInt8(ascii: "f")) || self == UInt8(ascii: ":") || self == UInt8(ascii: ".")
    }

    private func isLetter(upTo last: UInt8) -> Bool { (UInt8(ascii: "a")...last).contains(self | 0x20) }
}
