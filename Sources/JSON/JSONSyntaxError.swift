/// The reason why a text is not JSON, or not the expected JSON.
///
/// The description says what is wrong and where; it never includes the text.
package struct JSONSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
    package let what: String
    /// The position in bytes from the start of the text.
    package let offset: Int

    package init(what: String, offset: Int) {
        self.what = what
        self.offset = offset
    }

    package var description: String { "\(what), at byte \(offset)" }
}
