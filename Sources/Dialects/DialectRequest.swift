/// A request of another system's client, as a dialect reads it.
package struct DialectRequest: Sendable {
    package var method: String
    /// The path without a prefix `/in/NAME` and without a slash at its end.
    package var path: String
    /// The decoded parameters of the query, in their order.
    package var query: [Parameter]
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
        _ method: String, _ path: String, query: [Parameter] = [], headers: [String: String] = [:], body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
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
