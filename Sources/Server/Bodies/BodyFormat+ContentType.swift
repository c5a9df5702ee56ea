import Events

extension BodyFormat {
    /// The form of a body, from what `Content-Type` says; without it, JSON.
    init(contentType: String?) throws(Problem) {
        let type = contentType?.prefix { $0 != ";" }.split(separator: " ").first?.lowercased()
        switch type {
        // Browsers send the latter two where a page may not ask first.
        case nil, "application/json", "text/plain", "application/x-www-form-urlencoded": self = .json
        case "application/x-ndjson", "application/ndjson", "application/jsonl": self = .ndjson
        default: throw Problem.unsupportedMediaType
        }
    }
}
