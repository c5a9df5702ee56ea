extension StringProtocol {
    /// Whether a text has at most 256 bytes, as all names, types and times do that have a meaning.
    ///
    /// Ask before comparing or hashing a text that could be long: both take much longer than reading it does.
    var isShort: Bool { utf8.count <= 256 }
}
