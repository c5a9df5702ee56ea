extension String {
    /// Returns the text, or its beginning and an ellipsis if it has more bytes than a limit.
    ///
    /// What quotes a text of a client shortens it, so that a response can't be larger than the request.
    package func shortened(to limit: Int = 256) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }
}
