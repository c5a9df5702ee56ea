extension String {
    /// Returns the longest prefix of complete Unicode scalars that fits into this many bytes of UTF-8.
    package func prefix(utf8Bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }

    /// Returns the text, or as much of it as fits into a number of bytes with an ellipsis.
    package func cut(toBytes limit: Int) -> String {
        utf8.count <= limit ? self : prefix(utf8Bytes: limit - 3) + "…"
    }
}
