/// The fields of a query or a form (application/x-www-form-urlencoded), in their order.
///
/// A plus is a space, as browsers and the HTTP libraries of most languages encode it. A field without `=` is empty.
struct FormFields {
    struct Field {
        let name: String
        /// The decoded value; nil if it contains NUL, invalid UTF-8 or an invalid percent sequence.
        let value: String?
    }

    /// The fields whose name can be decoded.
    let fields: [Field]

    init(_ text: some Sequence<UInt8>) {
        fields = Array(text).split(separator: UInt8(ascii: "&")).compactMap { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0]) else { return nil }
            return Field(name: name, value: parts.count == 2 ? Self.decode(parts[1]) : "")
        }
    }

    private static func decode(_ bytes: ArraySlice<UInt8>) -> String? {
        let plain = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return PathText.decode(String(decoding: plain, as: UTF8.self))
    }
}
