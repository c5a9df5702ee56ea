/// What the inspector is asked for: the id of a notification, a device, an event or a delivery.
package struct InspectionRequest: Sendable, Equatable {
    package let id: String
    /// Whether to return the texts that people typed.
    package let includesText: Bool

    /// The parameters of a request, for messages and completions.
    package static let parameters = ["id", "include_text"]

    /// Creates a request from the parameters of a query.
    ///
    /// - Throws: `ReportError.parameter` if a parameter is missing, invalid or unknown.
    package init(_ values: [String: String]) throws {
        for name in values.keys.sorted() where !Self.parameters.contains(name) {
            let nearest = Suggestion.nearest(to: name, in: Self.parameters).map { "; did you mean \($0)?" } ?? ""
            throw ReportError.parameter(name: name, detail: "is not known\(nearest)")
        }
        guard let id = values["id"], (1...256).contains(id.utf8.count) else {
            throw ReportError.parameter(name: "id", detail: "must be an id of 1 to 256 bytes")
        }
        switch values["include_text"] {
        case nil, "false": includesText = false
        case "true": includesText = true
        default: throw ReportError.parameter(name: "include_text", detail: "must be true or false")
        }
        self.id = id
    }
}
