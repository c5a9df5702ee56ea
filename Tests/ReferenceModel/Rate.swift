/// A rate with its interval, as three columns.
struct Rate {
    let name: String
    let numerator: Int
    let denominator: Int

    init(_ name: String, _ numerator: Int, of denominator: Int) {
        self.name = name
        self.numerator = numerator
        self.denominator = denominator
    }

    /// "A rate whose own denominator is under `min_n` is NULL with its interval, and `suppressed` is true if any in the row
    /// is." A denominator of 0 does not suppress (decision D4).
    func isSuppressed(minN: Int) -> Bool {
        denominator > 0 && denominator < minN
    }

    /// "No base, a base of 0, or a numerator above its base (declared sends that don't cover the deliveries) gives NULL." So does
    /// a numerator below 0, which comes of the same.
    func cells(minN: Int) -> [ModelRow.Cell] {
        let names = [name, name + "_low", name + "_high"]
        guard denominator > 0, 0...denominator ~= numerator, !isSuppressed(minN: minN) else {
            return names.map { ModelRow.Cell(name: $0, value: .null) }
        }
        let interval = Wilson(numerator, of: denominator)
        let values = [Double(numerator) / Double(denominator), interval.low, interval.high]
        return zip(names, values).map { ModelRow.Cell(name: $0, value: .double($1)) }
    }
}
