import AfterpushWire
import EventSamples
import Foundation
import Testing

@testable import Events
@testable import Receipts

/// Tests hostile receipts (E50 in docs/fault-tests.md).
@Suite struct RequestReceiptVerifierTests {
    private func expect(
        _ receipt: String, throws error: ReceiptError = .invalid, _ verifier: RequestReceiptVerifier? = nil,
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        let verifier = if let verifier { verifier } else { try await ReceiptMaker.verifier() }
        #expect(throws: error, "\(receipt)", sourceLocation: location) {
            try verifier.verify(receipt, at: ReceiptMaker.time(ReceiptMaker.issuedAt))
        }
    }

    private func claims(_ receipt: String, secrets: [[UInt8]] = [ReceiptMaker.secret]) async throws -> ReceiptClaims {
        try await ReceiptMaker.verifier(secrets: secrets)
            .verify(receipt, at: ReceiptMaker.time(ReceiptMaker.issuedAt))
    }

    @Test func `a receipt of another library is read completely`() async throws {
        let payload = ReceiptMaker.payload([
            "cmp": #""spring \u00e9""#, "cat": "\"ORDER\"", "ver": "4", "var": "\"b\"", "other": "[{}]",
            "nothing": "null",
        ])
        let claims = try await claims(ReceiptMaker.receipt(payload: payload))
        #expect(
            claims
                == ReceiptClaims(
                    app: "shop", notificationID: "note", deviceID: "device",
                    issuedAt: ReceiptMaker.time(ReceiptMaker.issuedAt),
                    expiresAt: ReceiptMaker.time(ReceiptMaker.expiresAt), campaignID: "spring \u{E9}",
                    categoryID: "ORDER", categoryVersion: 4, variant: "b"))
    }

    @Test func `a signed receipt is read back with the same claims`() async throws {
        let claims = ReceiptClaims(
            app: "shop", notificationID: "a/b \"quoted\" \u{E9}\u{1F389}", deviceID: nil,
            issuedAt: ReceiptMaker.time(ReceiptMaker.issuedAt), expiresAt: ReceiptMaker.time(ReceiptMaker.expiresAt),
            campaignID: "spring", categoryID: "ORDER", categoryVersion: 2, variant: "a")
        let receipt = try await ReceiptSecret(ReceiptMaker.secret).receipt(claims)
        #expect(try await self.claims(receipt) == claims)
        #expect(receipt.hasPrefix(ReceiptMaker.base64url(Array(ReceiptMaker.header.utf8)) + "."))
    }

    @Test(arguments: [
        #"{"alg":"none"}"#, #"{"alg":"None"}"#, #"{"alg":"hs256"}"#, #"{"alg":"HS384"}"#, #"{"alg":"HS512"}"#,
        #"{"alg":"RS256"}"#, #"{"alg":"ES256"}"#, #"{"alg":""}"#, #"{"alg":null}"#, #"{"alg":["HS256"]}"#,
        #"{"alg":"HS256 "}"#, #"{"typ":"JWT"}"#, "{}", "[]", "", "null", #"{"alg":"HS256""#, #"{"alg":"HS256"}{}"#,
        #"{"alg":"HS256","jwk":{"kty":"oct","k":"AAAA"}}"#, #"{"alg":"HS256","jku":"https://example.com"}"#,
        #"{"alg":"HS256","x5u":"https://example.com"}"#, #"{"alg":"HS256","x5c":[]}"#,
        #"{"alg":"HS256","crit":["exp"]}"#,
        #"{"alg":"HS256","\u0063rit":null}"#, #"{"alg":"none","alg":"HS256"}"#, #"{"alg":"HS256","alg":"none"}"#,
        #"{"alg":"HS256","\u0061lg":"HS256"}"#, #"{"alg":"HS256","typ":"\ud800"}"#,
    ])
    func `E50: a signed header with another algorithm, keys or critical extensions is refused`(
        header: String
    ) async throws {
        try await expect(ReceiptMaker.receipt(header: header))
    }

    @Test func `E50: the algorithm none without a signature is refused`() async throws {
        let header = ReceiptMaker.base64url(Array(#"{"alg":"none"}"#.utf8))
        let payload = ReceiptMaker.base64url(Array(ReceiptMaker.payload().utf8))
        for receipt in ["\(header).\(payload).", "\(header).\(payload)", "\(header).\(payload).AAAA"] {
            try await expect(receipt)
        }
    }

    @Test(arguments: [
        "../../../../dev/null", "/etc/passwd", "x' or '1'='1", "'; drop table afterpush.receipt_secrets; --", "1",
    ])
    func `E50: a key id has no effect`(kid: String) async throws {
        let header = #"{"alg":"HS256","kid":"\#(kid)"}"#
        #expect(try await claims(ReceiptMaker.receipt(header: header)).notificationID == "note")
        try await expect(ReceiptMaker.receipt(header: header, secret: Array(repeating: 0, count: 32)))
        try await expect(ReceiptMaker.receipt(header: header, secret: []))
    }

    @Test func `E50: a signature of another app, or one that is truncated, extended or changed in a bit, is refused`()
        async throws
    {
        let receipt = ReceiptMaker.receipt()
        try await expect(ReceiptMaker.receipt(secret: Array(ReceiptMaker.secret.reversed())))
        let signature = try #require(receipt.split(separator: ".").last)
        let signed = receipt.dropLast(signature.count)
        for length in 0..<signature.count { try await expect(String(signed) + signature.prefix(length)) }
        for more in ["A", "AA", "AAAA", "=", ".", ".AAAA", " ", "\n"] { try await expect(receipt + more) }
        let bytes = try #require(Base64URL.decode(Array(signature.utf8)[...]))
        #expect(bytes.count == 32)
        for bit in 0..<256 {
            var bytes = bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            try await expect(signed + Base64URL.encode(bytes))
        }
    }

    @Test func `E50: each part has a single valid encoding`() async throws {
        let parts = ReceiptMaker.receipt(header: #"{"alg":"HS256" }"#).split(separator: ".").map(String.init)
        // The last letter of a part whose length is not a multiple of four has unused bits.
        for (part, text) in parts.enumerated() where text.utf8.count % 4 != 0 {
            let last = try #require(text.last)
            let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
            let place = try #require(letters.firstIndex(of: last))
            var other = parts
            other[part] = text.dropLast() + String(letters[place ^ 1])
            try await expect(part < 2 ? ReceiptMaker.signed("\(other[0]).\(other[1])") : other.joined(separator: "."))
        }
        #expect(parts.contains { $0.utf8.count % 4 != 0 })
        let payload = ReceiptMaker.base64url(Array(ReceiptMaker.payload(["x": #""\#u{FFFF}\#u{3FF}???>>>""#]).utf8))
        let header = ReceiptMaker.base64url(Array(ReceiptMaker.header.utf8))
        _ = try await claims(ReceiptMaker.signed("\(header).\(payload)"))
        #expect(payload.contains("_") || payload.contains("-"))
        for wrong in [
            payload.replacing("_", with: "/").replacing("-", with: "+"), payload + "=", payload + "==", " " + payload,
            payload + "\n", payload.replacing("e", with: "\u{E9}"),
        ] where wrong != payload {
            try await expect(ReceiptMaker.signed("\(header).\(wrong)"))
        }
        try await expect(ReceiptMaker.signed("\(header)..\(payload)"))
        try await expect(ReceiptMaker.signed(header))
    }

    @Test(arguments: [
        #"{"iss":"shop","jti":"note","iat":1795000000,"jti":"other"}"#,
        #"{"iss":"shop","jti":"note","iat":1795000000,"\u006ati":"note"}"#,
        #"{"iss":"shop","jti":"note","iat":1795000000,"x":1,"x":2}"#,
        #"{"iss":"shop","jti":"note","iat":1795000000}}"#, #"{"iss":"shop","jti":"note","iat":1795000000"#,
        #"[{"iss":"shop","jti":"note","iat":1795000000}]"#, "", "null", "\"\"",
        #"{"iss":"shop","jti":"no\#u{0}te","iat":1795000000}"#, #"{"iss":"shop","jti":"\ud800","iat":1795000000}"#,
        #"{"iss":"shop","jti":"note\u0000","iat":1795000000}"#,
        #"{"iss":"shop","jti":"note","iat":1795000000,"x":[[[[[[[[[[]]]]]]]]]]}"#,
    ])
    func `E50: a signed payload that is ambiguous or unreadable is refused`(
        payload: String
    ) async throws {
        try await expect(ReceiptMaker.receipt(payload: payload))
    }

    @Test(arguments: [
        ("iss", nil), ("iss", "\"other\""), ("iss", "\"Shop\""), ("iss", "[\"shop\"]"), ("iss", "null"), ("jti", nil),
        ("jti", "7"), ("sub", "7"), ("iat", nil), ("iat", "\"1795000000\""), ("iat", "-1"), ("iat", "1e300"),
        ("iat", "253402300800"), ("exp", "\"never\""), ("exp", "true"), ("exp", "-1"), ("ver", "1.5"), ("ver", "\"1\""),
        ("nbf", "\"1795000000\""),
        ("ver", "3000000000"), ("cmp", "{}"), ("cat", "1"), ("var", "false"),
    ])
    func `E50: a missing claim or one of another type is refused`(name: String, json: String?) async throws {
        try await expect(ReceiptMaker.receipt(payload: ReceiptMaker.payload([name: json])))
    }

    @Test func `E50: app names are compared as bytes`() async throws {
        let receipt = ReceiptMaker.receipt(payload: ReceiptMaker.payload(["iss": "\"caf\u{E9}\""]))
        let time = ReceiptMaker.time(ReceiptMaker.issuedAt)
        await #expect(throws: Never.self) {
            try await ReceiptMaker.verifier(app: "caf\u{E9}").verify(receipt, at: time)
        }
        try await expect(receipt, ReceiptMaker.verifier(app: "cafe\u{301}"))
    }

    @Test func `a receipt is valid until it expires, by the time of the event`() async throws {
        let verifier = try await ReceiptMaker.verifier()
        let receipt = ReceiptMaker.receipt()
        for (time, isGood) in [
            (ReceiptMaker.time(0), true),
            (ReceiptMaker.time(ReceiptMaker.expiresAt, microseconds: -1), true),
            (ReceiptMaker.time(ReceiptMaker.expiresAt), false),
            (ReceiptMaker.time(ReceiptMaker.expiresAt + 90 * 86_400), false),
        ] {
            if isGood {
                #expect(throws: Never.self) { try verifier.verify(receipt, at: time) }
            } else {
                #expect(throws: ReceiptError.expired) { try verifier.verify(receipt, at: time) }
            }
        }
        let fraction = ReceiptMaker.receipt(payload: ReceiptMaker.payload(["exp": "1797000000.25"]))
        #expect(try verifier.verify(fraction, at: ReceiptMaker.time(0)).expiresAt.microseconds == 1_797_000_000_250_000)
    }

    @Test func `a receipt without an expiry is valid for 30 days`() async throws {
        let claims = try await claims(ReceiptMaker.receipt(payload: ReceiptMaker.payload(["exp": nil])))
        #expect(claims.expiresAt == ReceiptMaker.time(ReceiptMaker.issuedAt + 30 * 86_400))
    }

    @Test(arguments: ["iat", "nbf"])
    func `E50: a receipt that is issued, or becomes valid, more than a day in the future is refused`(
        claim: String
    ) async throws {
        let now = Int(Sample.receivedAt.microseconds / 1_000_000)
        func receipt(_ time: Int) -> String {
            ReceiptMaker.receipt(payload: ReceiptMaker.payload([claim: "\(time)"]))
        }
        #expect(try await claims(receipt(now + 86_400)).notificationID == "note")
        try await expect(receipt(now + 86_401))
    }

    @Test func `each of the app's secrets verifies, and an app without secrets accepts no receipt`() async throws {
        let other = Array(ReceiptMaker.secret.reversed())
        for secret in [ReceiptMaker.secret, other] {
            let receipt = ReceiptMaker.receipt(secret: secret)
            #expect(try await claims(receipt, secrets: [other, ReceiptMaker.secret]).notificationID == "note")
        }
        try await expect(ReceiptMaker.receipt(), ReceiptMaker.verifier(secrets: []))
    }

    @Test func `E50: a text that Swift considers equal to a known receipt is not accepted`() async throws {
        let verifier = try await ReceiptMaker.verifier()
        // U+212A is the Kelvin sign, which Swift considers equal to K.
        let receipt = try #require(
            (0..<100).lazy.map { ReceiptMaker.receipt(payload: ReceiptMaker.payload(["x": "\($0)"])) }
                .first { $0.contains("K") })
        let kelvin = receipt.replacing("K", with: "\u{212A}")
        #expect(receipt == kelvin)
        #expect(throws: Never.self) { try verifier.verify(receipt, at: ReceiptMaker.time(0)) }
        try await expect(kelvin, verifier)
        try await expect(kelvin, verifier)
        #expect(throws: Never.self) { try verifier.verify(receipt, at: ReceiptMaker.time(0)) }
    }

    @Test func `a secret's description does not contain it`() async throws {
        let secret = try await ReceiptSecret(ReceiptMaker.secret)
        var dumped = ""
        dump([secret], to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), String(describing: [secret]), dumped] {
            #expect(!text.contains("HMAC") && !text.contains("48, 49") && !text.contains("0123"), "\(text)")
        }
    }
}
