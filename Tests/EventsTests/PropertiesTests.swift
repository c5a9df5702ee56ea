import EventSamples
import Events
import Testing

@Suite struct PropertiesTests {
    @Test func `properties that are not an object are rejected`() throws {
        for wrong in ["[]", "\"{}\"", "1", "true"] {
            try Sample.expectRejection(.invalidJSONType, naming: "properties", ["properties": wrong])
        }
    }

    @Test func `unknown fields and properties are merged, and properties take precedence`() throws {
        let event = try Sample.accepted([
            "properties": "{ \"a\" : 1.50 , \"b\":[ true , null ]}", "a": "2", "z \\u0061": "\" x \\n\"",
            "empty": "\"\"",
            "nothing": "null", "object": "{ }",
        ])
        #expect(
            event.properties
                == "{\"a\":2,\"empty\":\"\",\"object\":{},\"z \\u0061\":\" x \\n\",\"a\":1.50,\"b\":[true,null]}")
    }

    @Test func `an event without properties has none`() throws {
        #expect(try Sample.accepted(["properties": "{ }"]).properties == nil)
        #expect(try Sample.accepted(["properties": "{ }", "a": "1"]).properties == "{\"a\":1}")
    }

    @Test func `properties with unknown fields are limited to 4 KiB in stored form`() throws {
        func text(_ count: Int) -> String { "{  \"a\": \(Sample.letters(count)) }" }
        #expect(try Sample.accepted(["properties": text(4_096 - 8)]).properties?.utf8.count == 4_096)
        try Sample.expectRejection(.fieldTooLong, naming: "properties", ["properties": text(4_096 - 7)])
        try Sample.expectRejection(.fieldTooLong, naming: "properties", ["unknown": Sample.letters(4_096)])
        try Sample.expectRejection(
            .fieldTooLong, naming: "properties", ["properties": text(2_100), "unknown": Sample.letters(2_100)])
    }

    @Test func `E45 - numbers that jsonb refuses are invalid, and others are unchanged`() throws {
        let long = String(repeating: "1", count: 65)
        for number in [
            "1e400000", "1e131072", "-1e-400000", "1E+309", long, "0.\(long)",
            "1e" + String(repeating: "9", count: 5_000),
        ] {
            try Sample.expectRejection(.fieldInvalid, naming: "properties", ["properties": "{\"a\":[\(number)]}"])
            try Sample.expectRejection(.fieldInvalid, naming: "properties", ["unknown": number])
        }
        let kept = "{\"a\":[1e308,-0,9223372036854775808,-9223372036854775809,0.1E-7]}"
        #expect(try Sample.accepted(["properties": kept]).properties == kept)
    }

    @Test func `a text that looks like a number remains a text`() throws {
        #expect(try Sample.accepted(["properties": "{\"1e999999\":\"1e999999 \\\" 2\"}"]).properties != nil)
    }
}
