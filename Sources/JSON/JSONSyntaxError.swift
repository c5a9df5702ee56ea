/// Why a text is not JSON, or not the JSON that was expected.
///
/// The description names what is wrong and where, never the text itself.
package struct JSONSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
    package let what: String
    /// Counts bytes from the start of the text.
    package let offset: Int

    package init(what: String, offset: Int) {
        self.what = what
        self.offset = offset
    }

    package var description: String { "\(what), at byte \(offset)" }
}
