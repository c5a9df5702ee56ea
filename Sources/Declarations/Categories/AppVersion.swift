/// A version of an app: numbers with dots between, compared one by one, so that 2.10 comes after 2.9 and 2 is 2.0.
///
/// What follows the numbers, as in `2.1-beta`, does not count.
package struct AppVersion: Sendable {
    /// As it was written.
    package let text: String
    /// Without zeros at the end.
    private let numbers: [Int]

    /// Nil for what does not begin with a number, or is no version that anybody would write.
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
