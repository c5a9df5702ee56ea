import Hummingbird
import Reports

extension Request {
    /// The parameters of the query. Reading them fails if one appears twice or can't be decoded.
    var queryValues: [String: String] {
        get throws {
            var values: [String: String] = [:]
            for field in FormFields((uri.query ?? "").utf8).fields {
                guard let value = field.value else {
                    throw ReportError.parameter(
                        name: field.name, detail: "contains NUL, invalid UTF-8 or an invalid percent sequence")
                }
                guard values.updateValue(value, forKey: field.name) == nil else {
                    throw ReportError.parameter(name: field.name, detail: "appears twice")
                }
            }
            return values
        }
    }
}
