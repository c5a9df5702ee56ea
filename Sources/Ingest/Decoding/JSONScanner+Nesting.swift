extension JSONScanner {
    /// What may come next inside of nested brackets.
    private enum Expectation {
        case element, elementOrEnd, key, keyOrEnd, separatorOrEnd
    }

    /// Passes an object or array whose opening bracket is at `position`, with all that it holds.
    mutating func scanNested(depth: Int) throws(BodyError) {
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
    ) throws(BodyError) -> Expectation {
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
