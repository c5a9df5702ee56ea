/// Remembers which batches of an app were reported already, without a clock or a database.
///
/// Batches become visible in another order than that of their numbers, so the ones above a floor are remembered one by
/// one. The floor is what was the last number some readings ago, by when what had a smaller one has committed or never
/// will.
struct LiveCursor {
    /// All batches up to this one were reported; nil before the first reading.
    private(set) var floor: Int64?
    private(set) var told: Set<Int64> = []
    private var lasts: [Int64] = []
    private let delay: Int

    /// - Parameter delay: readings, a second apart, that a batch may take from its number to its commit.
    init(delay: Int = 15) {
        self.delay = delay
    }

    /// - Parameters:
    ///   - batches: that a reading counted.
    ///   - last: the last batch number of all that it saw.
    mutating func take(_ batches: [Int64], last: Int64) {
        let old = floor ?? last
        lasts.append(last)
        floor = max(old, lasts.count > delay ? lasts.removeFirst() : old)
        told.formUnion(batches)
        let floor = floor ?? old
        told = told.filter { $0 > floor }
    }
}
