/// The brackets that are open: one bit each, so that a body of nothing but brackets needs an eighth of its size.
struct Nesting {
    private(set) var depth = 0
    /// The innermost levels, the lowest bit last opened; set for an object.
    private var levels: UInt64 = 0
    /// Full words of the levels further out.
    private var outer: [UInt64] = []

    var isObject: Bool { levels & 1 == 1 }

    mutating func open(isObject: Bool) {
        if depth > 0, depth % 64 == 0 {
            outer.append(levels)
            levels = 0
        }
        levels = levels << 1 | (isObject ? 1 : 0)
        depth += 1
    }

    mutating func close() {
        depth -= 1
        levels >>= 1
        if depth > 0, depth % 64 == 0, let full = outer.popLast() { levels = full }
    }
}
