/// What the login page posts (application/x-www-form-urlencoded).
struct LoginForm {
    private(set) var key = ""
    private(set) var next = ""

    /// Unknown and invalid fields are ignored; the last of repeated fields counts.
    init(_ body: [UInt8]) {
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = Self.text(parts[0]), let value = Self.text(parts[1]) else { continue }
            switch name {
            // Copied keys often come with surrounding spaces.
            case "key": key = value.filter { !$0.isWhitespace }
            case "next": next = value
            default: continue
            }
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        let plain = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return PathText.decode(String(decoding: plain, as: UTF8.self))
    }
}
