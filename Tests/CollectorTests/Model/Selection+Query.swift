import AfterpushWire
import Foundation
import ReferenceModel

extension Selection {
    /// The selection as the parameters of a report over HTTP.
    var query: [(String, String)] {
        var query: [(String, String)] = [("tz", timeZone.identifier == "GMT" ? "UTC" : timeZone.identifier)]
        func add(_ name: String, _ value: String?) {
            if let value { query.append((name, value)) }
        }
        add("from", from.map { Timestamp(microseconds: Int64($0)).description })
        add("to", to.map { Timestamp(microseconds: Int64($0)).description })
        add("campaign", campaign?.text)
        add("category", category?.text)
        add("variant", variant?.text)
        add("platform", platform?.text)
        add("verified", verified ? "true" : "false")
        add("base", base.rawValue)
        add("min_n", String(minN))
        if !by.isEmpty { add("by", by.map(\.rawValue).joined(separator: ",")) }
        return query
    }
}
