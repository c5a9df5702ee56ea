package import HTTPTypes

extension HTTPField.Name {
    /// X-Request-Id
    package static let requestID = name("X-Request-Id")

    /// A name that is known to be one; the parser is asked all the same.
    private static func name(_ text: String) -> HTTPField.Name {
        HTTPField.Name(text) ?? .server
    }
}
