/// Why an event is not believed.
package struct EventValidationError: Error {
    let code: RejectionCode
    /// Names the field and what is wrong with it; holds nothing that was sent.
    let detail: String

    init(_ code: RejectionCode, _ detail: String) {
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
