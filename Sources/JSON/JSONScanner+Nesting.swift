extension JSONScanner {
    /// The tokens that are valid next inside nested brackets.
    private enum Expectation {
        case element, elementOrEnd, key, keyOrEnd, separatorOrEnd
    }

    /// Scans an object or array whose opening bracket is at `position`, with its whole content.
    mutating func scanNested(depth: Int) throws(JSONSyntaxError) {
        var nesting = Nesting()
        var expected = Expectation.element
        repeat {
            let byte = try nextToken()
            switch expected {
            case .elementOrEnd where byte == UInt8(ascii: "]"), .keyOrEnd where byte == UInt8(ascii: "}"):
                expected = close(&nesting)
            case .element, .elementOrEnd:
                expected = try scanElement(byte, &nesting, depth)
            case .key, .keyOrEnd:
                guard byte == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
                _ = try scanKey()
                expected = .element
            case .separatorOrEnd where byte == UInt8(ascii: ","):
                position += 1
                expected = nesting.isObject ? .key : .element
            case .separatorOrEnd where byte == UInt8(ascii: nesting.isObject ? "}" : "]"):
                expected = close(&nesting)
            case .separatorOrEnd:
                throw unexpected("a comma or a closing bracket")
            }
        } while nesting.depth > 0
    }

    private mutating func scanElement(
        _ byte: UInt8, _ nesting: inout Nesting, _ depth: Int
    ) throws(JSONSyntaxError) -> Expectation {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let isObject = byte == UInt8(ascii: "{")
            nesting.open(isObject: isObject)
            noteDepth(depth + nesting.depth)
            position += 1
            return isObject ? .keyOrEnd : .elementOrEnd
        case UInt8(ascii: "\""):
            _ = try scanString()
        default:
            _ = try scanWord()
        }
        return .separatorOrEnd
    }

    private mutating func close(_ nesting: inout Nesting) -> Expectation {
        nesting.close()
        position += 1
        return .separatorOrEnd
    }
}

/// The open brackets, one bit each, so that a body made only of brackets needs an eighth of its size.
private struct Nesting {
    private(set) var depth = 0
    /// The innermost levels; the lowest bit is the level opened last, and a set bit means an object.
    private var levels: UInt64 = 0
    /// The outer levels, in full words.
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
