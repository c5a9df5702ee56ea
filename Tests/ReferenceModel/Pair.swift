/// (campaign, variant) or (category, version), "each pair taken whole".
struct Pair<Second: Comparable>: Comparable {
    let first: Identifier
    let second: Second?

    /// "Byte order, collation C; versions as integers; absent last".
    static func < (left: Pair, right: Pair) -> Bool {
        if left.first != right.first { return left.first < right.first }
        guard let leftSecond = left.second else { return false }
        guard let rightSecond = right.second else { return true }
        return leftSecond < rightSecond
    }
}
