package import HTTPTypes

extension HTTPFields {
    /// Returns the value of a header. It is the same as that of the subscript, which takes several times as long, because
    /// it also joins the values of a header that appears once.
    package func value(of name: HTTPField.Name) -> String? {
        var value: String?
        for field in self where field.name == name {
            guard value == nil else { return self[name] }
            value = field.value
        }
        return value
    }
}
