import Hummingbird
import Reports

extension Request {
    /// The parameters of the query. Reading them fails if one appears twice.
    var queryValues: [String: String] {
        get throws {
            var values: [String: String] = [:]
            for (name, value) in uri.queryParameters {
                let key = String(name)
                guard values.updateValue(String(value), forKey: key) == nil else {
                    throw ReportError.parameter(name: key, detail: "appears twice")
                }
            }
            return values
        }
    }
}
