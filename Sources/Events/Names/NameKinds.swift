/// A set of kinds of names.
package struct NameKinds: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package static let all = NameKinds(NameKind.allCases.map { NameKinds($0) })

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package init(_ kind: NameKind) {
        let place =
            switch kind {
            case .campaign: 0
            case .variant: 1
            case .category: 2
            case .categoryVersion: 3
            case .action: 4
            case .appVersion: 5
            }
        rawValue = 1 << place
    }

    /// Reads the text that `words` returns; unknown words are ignored.
    package init(words: String) {
        self.init(words.split(separator: " ").compactMap { NameKind(rawValue: String($0)).map { NameKinds($0) } })
    }

    /// The kinds in the words of the database, separated by spaces.
    package var words: String {
        kinds.map(\.rawValue).joined(separator: " ")
    }

    package var kinds: [NameKind] {
        NameKind.allCases.filter { contains(NameKinds($0)) }
    }
}
