/// The web pages whose scripts may talk to the collector.
package enum AllowedOrigins: Sendable, Equatable {
    case any
    case these(Set<String>)

    /// - Parameter text: `*`, or origins separated by commas; `none` allows no origin.
    package init(_ text: String) {
        let origins = text.split(separator: ",").map { $0.filter { $0 != " " }.lowercased() }
        self = origins == ["*"] ? .any : .these(Set(origins).subtracting(["none", ""]))
    }

    /// Returns the value of `Access-Control-Allow-Origin` for an origin; nil if it is not allowed.
    func allowed(_ origin: String) -> String? {
        switch self {
        case .any: "*"
        case .these(let origins): origins.contains(origin.lowercased()) ? origin : nil
        }
    }
}
