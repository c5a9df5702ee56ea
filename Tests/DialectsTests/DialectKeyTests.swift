import Dialects
import EventSamples
import JSON
import Testing

/// Tests which texts of a request are its key, and that others cost little.
@Suite struct DialectKeyTests {
    private func body(_ keys: String?...) -> ForeignBody { ForeignBody(events: [], keys: keys) }

    @Test func `a key is what comes before a colon, without spaces around it`() throws {
        #expect(try DialectKeys.inBody(body("ap_ingest_a")) == "ap_ingest_a")
        #expect(try DialectKeys.inBody(body(nil, "", " ap_ingest_a\n", "ap_ingest_a:secret", "token")) == "ap_ingest_a")
        #expect(try DialectKeys.inBody(body("ap_ingest_", "ap_other_a", "AP_INGEST_a", ":ap_ingest_a")) == nil)
        #expect(throws: DialectError.self) { try DialectKeys.inBody(body("ap_ingest_a", "ap_send_b")) }
    }

    @Test func `a text that is longer than any key is passed over`() throws {
        let long = "ap_ingest_" + String(repeating: "x", count: 247)
        let shorter = String(long.dropLast())
        #expect(body(long, "ap_ingest_a", "ap_ingest_a").keys == ["ap_ingest_a"])
        #expect(try DialectKeys.inBody(body(long, "ap_ingest_a")) == "ap_ingest_a")
        #expect(try DialectKeys.inBody(body(shorter)) == shorter)
        #expect(!DialectKeys.isKey(long) && DialectKeys.isKey(shorter))
        for (text, key) in [(long, nil), (shorter, shorter)] as [(String, String?)] {
            let request = DialectRequest("GET", "/i", query: [.init("aid", text)])
            #expect(DialectKeys.inQuery(request) == key)
            #expect(DialectKeys.inHeaders(["x-write-key": text]) == key)
        }
    }

    @Test func `a secret is one however long it is`() {
        for key in ["ap_send_x", "ap_read_x", "ap_manage_" + String(repeating: "x", count: 1_000)] {
            #expect(DialectKeys.isSecret(key))
        }
        for text in ["ap_ingest_x", "ap_send_", "x"] { #expect(!DialectKeys.isSecret(text)) }
    }

    @Test func `Amplitude's refusal does not repeat a text that is too long to be a key`() throws {
        let body = #"{"api_key":"\#(String(repeating: "x", count: 257))","events":[]}"#
        let request = DialectRequest("POST", "/2/httpapi", body: Array(body.utf8))
        let answer = try PlayedRequest.refusal(401, to: request)
        #expect(answer.status == 400 && answer.body.count < 200)
        #expect(try answer.object["missing_field"]?.text == "api_key")
    }

    @Test func `a text of megabytes takes no longer than a key`() throws {
        let long = "ap_ingest_" + String(repeating: "x" + String(repeating: "\u{301}", count: 120), count: 5_000)
        let key = "ap_ingest_" + String(repeating: "x", count: 50)
        func cost(_ text: String) -> () throws -> Void {
            return {
                for _ in 0..<100 { _ = try DialectKeys.inBody(ForeignBody(events: [], keys: [text, "token"])) }
            }
        }
        let ratio = try ProcessorTime.ratio(cost(long), to: cost(key))
        print("a long text takes \(ratio) times as long as a key")
        #expect(ratio < 5)
    }
}
