import Dialects
import Testing

/// Tests the prefix that names a family, for clients whose paths are also those of others.
struct PrefixTests {
    @Test(arguments: [
        ("GET", "/in/countly/i", DialectFamily.countly), ("GET", "/in/snowplow/i", .snowplow),
        ("POST", "/in/countly/i", .countly), ("POST", "/in/amplitude/batch", .amplitude),
        ("POST", "/in/posthog/batch", .posthog), ("POST", "/in/segment/batch", .segment),
        ("POST", "/in/mixpanel/track", .mixpanel), ("POST", "/in/segment/v1/track", .segment),
        ("GET", "/in/segment/v1/projects/k/settings", .segment), ("POST", "/in/otlp/v1/logs", .otlp),
    ]) func `a request below the prefix of a family is of that family, whatever its body says`(
        method: String, path: String, family: DialectFamily
    ) throws {
        let request = DialectRequest(method, path)
        let dialect = try #require(DialectTable.find(request)).dialect
        #expect(dialect.family == family && request.family == family)
        #expect(!request.path.hasPrefix("/in/"))
        #expect(DialectTable.hasPath(path))
        #expect(DialectTable.first(request)?.dialect.family == family)
    }

    @Test(arguments: [
        "/in/segment/2/httpapi", "/in/unknown/v1/batch", "/in/segment", "/in/segment/", "/in//v1/batch", "/in/",
        "/in/segment/in/segment/v1/batch", "/in/segmentx/v1/batch",
    ]) func `a path that the family does not have is of no dialect`(path: String) {
        for method in ["GET", "POST"] { #expect(DialectTable.find(DialectRequest(method, path)) == nil) }
        #expect(!DialectTable.hasPath(path))
    }

    @Test func `a batch of Amplitude is read as one even if it looks like PostHog's`() throws {
        let body = Array(#"{"api_key":"k","batch":[{"event":"Push Clicked","distinct_id":"u"}]}"#.utf8)
        #expect(DialectTable.find(DialectRequest("POST", "/batch", body: body))?.dialect.family == .posthog)
        #expect(
            DialectTable.find(DialectRequest("POST", "/in/amplitude/batch", body: body))?.dialect.family == .amplitude)
    }
}
