/// What became of the records of an import.
package struct ImportTally: Sendable, Equatable {
    package var stored = 0
    /// Those that had been stored before, or stood there twice.
    package var duplicates = 0
    package var rejected = 0

    package init() {}

    package var records: Int { stored + duplicates + rejected }

    static func += (left: inout ImportTally, right: ImportTally) {
        left.stored += right.stored
        left.duplicates += right.duplicates
        left.rejected += right.rejected
    }
}

extension ImportTally: CustomStringConvertible {
    package var description: String { "stored \(stored), duplicates \(duplicates), rejected \(rejected)" }
}
