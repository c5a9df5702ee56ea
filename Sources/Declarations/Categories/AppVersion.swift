/// An app version: numbers separated by dots, compared one by one, so that 2.10 comes after 2.9 and 2 equals 2.0.
///
/// Text after the numbers, as in `2.1-beta`, is ignored.
package struct AppVersion: Sendable {
    /// The version as it was written.
    package let text: String
    /// The numbers without trailing zeros.
    private let numbers: [Int]

    /// Returns `nil` for a text that is implausibly long, contains NUL or doesn't start with a number.
    package init?(_ text: String) {
        guard text.utf8.count <= 64, !text.utf8.contains(0),
            let match = text.prefixMatch(of: /[0-9]{1,9}(?:\.[0-9]{1,9}){0,7}(?![0-9])/)
        else { return nil }
        var numbers = match.0.split(separator: ".").compactMap { Int($0) }
        while numbers.last == 0 { numbers.removeLast() }
        self.text = text
        self.numbers = numbers
    }
}

extension AppVersion: Comparable {
    package static func == (one: AppVersion, other: AppVersion) -> Bool { one.numbers == other.numbers }

    package static func < (one: AppVersion, other: AppVersion) -> Bool {
        one.numbers.lexicographicallyPrecedes(other.numbers)
    }
}
