/// Why an event is not believed.
package struct EventValidationError: Error {
    package let code: RejectionCode
    /// Names the field and what is wrong with it; holds nothing that was sent.
    package let detail: String

    package init(_ code: RejectionCode, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension EventValidationError {
    /// A field that must be there is absent.
    static func missing(_ field: FieldName) -> EventValidationError {
        EventValidationError(.fieldMissing, "\(field.name) is missing")
    }
}
