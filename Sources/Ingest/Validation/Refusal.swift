/// Why an event is not believed.
package struct Refusal: Error {
    let code: RejectionCode
    /// Names the field and what is wrong with it; holds nothing that was sent.
    let detail: String

    init(_ code: RejectionCode, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension Refusal {
    /// A field that must be there is absent.
    static func missing(_ field: FieldName) -> Refusal {
        Refusal(.fieldMissing, "\(field.name) is missing")
    }
}
