import AfterpushWire

/// The kinds of native events as the last word of a dotted name, such as `push.notification.opened` or
/// `com.afterpush.opened`.
package enum KindNames {
    /// What the names of native events begin with. More words may precede them, such as a reversed domain.
    package static let prefixes = ["push.notification", "afterpush"]

    /// Returns the word behind a known prefix; `nil` for a name without one.
    package static func word(of name: String) -> Substring? {
        guard name.isShort, let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let front = name[..<dot].lowercased()
        guard prefixes.contains(where: { front == $0 || front.hasSuffix("." + $0) }) else { return nil }
        return name[name.index(after: dot)...]
    }

    /// Returns the kind that a word names, without regard to case, `_` and `-`; `nil` if it names none.
    package static func kind(_ word: some StringProtocol) -> String? {
        word.isShort ? kinds[normal(word)] : nil
    }

    /// Returns the kind that a dotted name ends in; `nil` if it has no known prefix or names none.
    package static func kind(of name: String) -> String? { word(of: name).flatMap { kind($0) } }

    private static let kinds = Dictionary(
        uniqueKeysWithValues: EventKind.allCases.map { (normal($0.rawValue), $0.rawValue) })

    private static func normal(_ word: some StringProtocol) -> String {
        word.lowercased().filter { $0 != "_" && $0 != "-" }
    }
}
