extension JSONScanner {
    /// The key of an object's next member, `position` then being at its value; nil behind the closing bracket.
    ///
    /// `isFirst` is true at the first call for an object, `position` then being behind its opening bracket.
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

    /// Passes a key and its colon; `position` is then at the value.
    mutating func scanKey() throws(JSONSyntaxError) -> StringToken {
        let key = try scanString()
        guard try nextToken() == UInt8(ascii: ":") else { throw unexpected("a colon") }
        position += 1
        _ = try nextToken()
        return key
    }

    /// Whether an array has another element, which `position` then is at; otherwise it is behind the closing bracket.
    ///
    /// `isFirst` is true at the first call for an array, `position` then being behind its opening bracket.
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
