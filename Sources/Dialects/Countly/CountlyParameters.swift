import Foundation
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

    /// The most parts that are read of one body.
    private static let partLimit = 100

    /// The texts of a body in parts (`multipart/form-data`), which clients use for pictures; `nil` if it is none.
    static func parts(_ request: DialectRequest) -> [DialectRequest.Parameter]? {
        guard request.mediaType == "multipart/form-data", let type = request.headers["content-type"],
            let name = type.range(of: "boundary=", options: .caseInsensitive)
        else { return nil }
        let boundary = type[name.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" && $0 != " " }
        guard !boundary.isEmpty else { return nil }
        let (separator, end) = (Data("--\(boundary)".utf8), Data("\r\n\r\n".utf8))
        let body = Data(request.body)
        var parameters: [DialectRequest.Parameter] = []
        var start = body.range(of: separator)?.upperBound
        while let from = start, parameters.count < partLimit {
            let next = body.range(of: separator, in: from..<body.endIndex)
            let part = body[from..<(next?.lowerBound ?? body.endIndex)]
            start = next?.upperBound
            guard let head = part.range(of: end) else { continue }
            let header = String(lenient: part[..<head.lowerBound])
            guard !header.contains("filename="), let name = header.range(of: "name=\"") else { continue }
            var value = part[head.upperBound...]
            if value.suffix(2) == Data("\r\n".utf8) { value = value.dropLast(2) }
            parameters.append(
                .init(String(header[name.upperBound...].prefix { $0 != "\"" }), String(lenient: value)))
        }
        return parameters
    }
}
