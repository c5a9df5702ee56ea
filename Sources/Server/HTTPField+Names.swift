package import HTTPTypes

extension HTTPField.Name {
    /// X-Request-Id
    package static let requestID = HTTPField.Name(parsed: "X-Request-Id")
}

extension HTTPField.Name {
    /// A name that is known to be one; the parser is asked all the same.
    private init(parsed text: String) {
        self = HTTPField.Name(text) ?? .server
    }
}
