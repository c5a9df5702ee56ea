import JSON

/// Tells apart the clients of several systems that post to the same path.
enum SharedPaths {
    /// Returns whose a request at `/batch` is, or `nil` if neither its body nor its headers tell.
    static func batchFamily(_ request: DialectRequest) -> DialectFamily? {
        guard !request.body.isEmpty else {
            // Before the body is read, a client's name has to do.
            return request.headers["user-agent"]?.lowercased().hasPrefix("posthog") == true ? .posthog : nil
        }
        guard ForeignForm.startsAsJSON(request.body) else { return .posthog }
        guard let body = try? JSONElement(request.body) else { return nil }
        guard let object = body.object else {
            let first = ((try? body.events) ?? nil)?.first?.object
            return first.map { isOfPostHog($0) ? .posthog : .segment }
        }
        if object["writeKey"] != nil { return .segment }
        if object["events"]?.type == .array { return .amplitude }
        if object["api_key"] != nil || object["token"] != nil { return .posthog }
        guard let batch = object["batch"] else { return isOfPostHog(object) ? .posthog : .segment }
        let first = ((try? batch.events) ?? nil)?.first?.object
        return first.map { isOfPostHog($0) ? .posthog : .segment }
    }

    private static func isOfPostHog(_ event: JSONObject) -> Bool {
        if event["messageId"] != nil || event["type"] != nil { return false }
        if event["distinct_id"] != nil || event["$distinct_id"] != nil || event["api_key"] != nil { return true }
        let properties = event["properties"]?.object
        return properties?["distinct_id"] != nil || properties?["token"] != nil
    }
}
