import JSON

/// The parameters of a request of Countly's clients: of its query, and of a body that is a form or JSON.
enum CountlyParameters {
    /// All parameters. Those of the query come first.
    static func all(_ request: DialectRequest) -> [DialectRequest.Parameter] {
        guard !request.body.isEmpty else { return request.query }
        if ForeignForm.startsAsJSON(request.body) { return request.query + members(request.body) }
        return request.query + (parts(request) ?? ForeignForm.fields(request.body))
    }

    /// The members of a JSON object, of which objects and arrays stay JSON.
    private static func members(_ body: [UInt8]) -> [DialectRequest.Parameter] {
        let members = (try? JSONElement(body))?.object?.all ?? []
        return members.map { DialectRequest.Parameter($0.name, $0.value.text ?? $0.value.string ?? $0.value.json) }
    }

    /// The texts of a body in parts, which clients use for pictures; `nil` if it is not in parts.
    static func parts(_ request: DialectRequest) -> [DialectRequest.Parameter]? {
        guard request.mediaType == "multipart/form-data", let type = request.headers["content-type"] else { return nil }
        return MultipartForm.texts(request.body, contentType: type)
    }
}
