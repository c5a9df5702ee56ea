extension JSONScanner {
    /// Scans the key of an object's next member and stops at its value.
    ///
    /// Before the first call for an object, set `isFirst` and put `position` after the opening bracket.
    ///
    /// - Returns: The key, or `nil` at the end of the object; `position` is then after the closing bracket.
    package mutating func nextMember(isFirst: inout Bool) throws(JSONSyntaxError) -> StringToken? {
        var byte = try nextToken()
        if byte == UInt8(ascii: "}") {
            position += 1
            return nil
        }
        if !isFirst {
            guard byte == UInt8(ascii: ",") else { throw unexpected("a comma or a closing bracket") }
            position += 1
            byte = try nextToken()
        }
        isFirst = false
        guard byte == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
        return try scanKey()
    }

    /// Scans a key and its colon and stops at the value.
    mutating func scanKey() throws(JSONSyntaxError) -> StringToken {
        let key = try scanString()
        guard try nextToken() == UInt8(ascii: ":") else { throw unexpected("a colon") }
        position += 1
        _ = try nextToken()
        return key
    }

    /// Moves to an array's next element, or past the closing bracket.
    ///
    /// Before the first call for an array, set `isFirst` and put `position` after the opening bracket.
    ///
    /// - Returns: Whether there is another element.
    package mutating func nextElement(isFirst: inout Bool) throws(JSONSyntaxError) -> Bool {
        let byte = try nextToken()
        if byte == UInt8(ascii: "]") {
            position += 1
            return false
        }
        if !isFirst {
            guard byte == UInt8(ascii: ",") else { throw unexpected("a comma or a closing bracket") }
            position += 1
            _ = try nextToken()
        }
        isFirst = false
        return true
    }

    package func unexpected(_ wanted: String) -> JSONSyntaxError {
        JSONSyntaxError(what: "expected \(wanted)", offset: position)
    }
}
