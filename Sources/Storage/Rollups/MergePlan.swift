/// How many events are merged in one transaction: decided without clock or database.
///
/// What was too much for one, because it took too long or because one batch can't be merged, is taken in smaller parts:
/// the rest gets through, and the batch at fault is alone at the end and named by the error.
struct MergePlan {
    /// Events to merge together, about.
    private(set) var limit: Int
    private let most: Int

    init(most: Int) {
        self.most = most
        limit = most
    }

    mutating func succeeded() {
        limit = min(most, limit * 2)
    }

    mutating func failed() {
        limit = max(1, limit / 2)
    }
}
