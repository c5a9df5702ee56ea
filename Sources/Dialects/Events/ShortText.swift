extension StringProtocol {
    /// Whether a text has at most 256 bytes, as all names, types and times do that have a meaning.
    ///
    /// Ask before comparing or hashing a text of a client. Both go by characters, and take the square of the length of a
    /// run of combining marks.
    var isShort: Bool { utf8.count <= 256 }
}
