/// A request of another system's client, as a dialect reads it.
package struct DialectRequest: Sendable {
    package var method: String
    /// The path without a prefix `/in/FAMILY` and without a slash at its end.
    package var path: String
    /// The family that the prefix of the path names, so that no other is meant.
    package var family: DialectFamily?
    /// The decoded parameters of the query, in their order.
    package var query: [Parameter]
    /// The query as it was sent.
    package var rawQuery: String
    /// The values of the headers by their lower-case names; of a repeated header, the first.
    package var headers: [String: String]
    /// The body, decompressed.
    package var body: [UInt8]

    package struct Parameter: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(
        _ method: String, _ path: String, query: [Parameter] = [], rawQuery: String = "",
        headers: [String: String] = [:], body: [UInt8] = []
    ) {
        self.method = method
        (family, self.path) = Self.parts(of: path)
        self.query = query
        self.rawQuery = rawQuery
        self.headers = headers
        self.body = body
    }

    /// Splits a path into the family of its prefix `/in/FAMILY`, if it has one, and the path of a dialect.
    package static func parts(of path: String) -> (family: DialectFamily?, path: String) {
        guard path.hasPrefix("/in/") else { return (nil, path) }
        let name = path.dropFirst("/in/".count).prefix { $0 != "/" }
        guard let family = DialectFamily(rawValue: String(name)) else { return (nil, path) }
        return (family, String(path.dropFirst("/in/".count + name.count)))
    }

    /// Returns the first value of a parameter of the query that is not empty.
    package func parameter(_ name: String) -> String? {
        query.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// The media type of the body in lower case without parameters; empty if the request states none.
    package var mediaType: String {
        let type = headers["content-type"]?.prefix { $0 != ";" } ?? ""
        return type.lowercased().filter { $0 != " " && $0 != "\t" }
    }
}
