import JSON

/// Data with the address of their schema, such as `iglu:com.acme/order/jsonschema/1-0-0`.
struct SelfDescribingJSON {
    let vendor: String
    let name: String
    let content: JSONElement

    init?(_ element: JSONElement?) {
        guard let object = element?.object, let schema = object["schema"]?.string, let data = object["data"] else {
            return nil
        }
        let parts = schema.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].hasPrefix("iglu:") else { return nil }
        vendor = parts[0].dropFirst("iglu:".count).lowercased()
        name = parts[1].lowercased()
        content = data
    }

    /// The data as an object.
    var data: JSONObject { content.object ?? .empty }

    func isOf(_ vendor: String, _ name: String) -> Bool { self.vendor == vendor && self.name == name }
}
