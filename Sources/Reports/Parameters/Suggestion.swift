/// Finds the name that somebody probably meant.
package enum Suggestion {
    /// Returns the known name nearest to a mistyped one: at most a third of its characters are to be changed, and a
    /// name that only begins like it is near, too.
    ///
    /// - Parameter changes: The number of changes up to which a name is near.
    package static func nearest(to name: String, in known: some Sequence<String>, changes: Int? = nil) -> String? {
        let wanted = Array(name.lowercased())
        guard !wanted.isEmpty, wanted.count <= 100 else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in known {
            let letters = Array(candidate.lowercased())
            let isBeginning = changes == nil && letters.starts(with: wanted) && wanted.count > 2
            let distance = isBeginning ? 1 : distance(wanted, letters)
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        guard let best, best.distance <= changes ?? max(1, wanted.count / 3) else { return nil }
        return best.name
    }

    /// Returns a question for the end of an error, `; did you mean conversion?`, or nothing.
    package static func text(for name: String, in known: some Sequence<String>) -> String {
        nearest(to: name, in: known).map { "; did you mean \($0)?" } ?? ""
    }

    /// The number of insertions, deletions, replacements and swaps of neighbors between two words (the restricted
    /// Damerau–Levenshtein distance).
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var rows = [Array(0...other.count)]
        for i in 0..<one.count {
            var row = [i + 1]
            for j in 0..<other.count {
                var cost = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (one[i] == other[j] ? 0 : 1))
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    cost = min(cost, rows[i - 1][j - 1] + 1)
                }
                row.append(cost)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
