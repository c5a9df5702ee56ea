import EventSamples
import Foundation
import SeededRandom
import Synchronization
import Testing

@testable import Events

/// Tests that rejected events, which anyone can send, don't cost much more than accepted ones.
@Suite struct RejectedEventCostTests {
    private static let key = DeviceKey(Array(0..<32))

    /// The circumstances of an app that has erased a device.
    private static var context: ValidationContext {
        var context = Sample.context()
        context.suppressionList.add(key.hash(of: "gone"), by: key, app: context.appID)
        context.suppressionList.position = 1
        return context
    }

    private static func body(_ count: Int, kind: String, _ properties: (Int) -> String) -> [UInt8] {
        let events = (0..<count).map { number in
            Sample.event([
                "event_id": Sample.quoted(UUID().uuidString), "device_id": Sample.quoted("device \(number)"),
                "notification_id": Sample.quoted("note \(number)"), "kind": Sample.quoted(kind),
                "properties": properties(number),
            ])
        }
        return Array("[\(events.joined(separator: ","))]".utf8)
    }

    private static func prose(_ number: Int) -> String {
        #"{"text":"\#(String(repeating: "many words, number \(number), and more. ", count: 16))"}"#
    }

    /// Comparing such a text as a `String` takes the square of its length.
    @Test func `a kind that consists of combining marks takes no longer to read than one of letters`() throws {
        let context = Self.context
        let marks = "a" + String(repeating: "\u{345}", count: 3_000) + String(repeating: "\u{334}", count: 3_000)
        let bodies = [marks, String(repeating: "\u{e9}", count: 6_000)].map { Self.body(2, kind: $0) { _ in "{}" } }
        let ratio = try ProcessorTime.ratio {
            _ = try Sample.validated(bodies[0], context)
        } to: {
            _ = try Sample.validated(bodies[1], context)
        }
        #expect(ratio < 5, "a kind of marks takes \(ratio) times as long")
    }

    @Test func `rejecting an event takes a few times as long as accepting it`() throws {
        let context = Self.context
        let accepted = Self.body(200, kind: "opened", Self.prose)
        let rejected = Self.body(200, kind: "unheard_of", Self.prose)
        #expect(try Sample.validated(accepted, context).events.count == 200)
        #expect(try Sample.validated(rejected, context).rejections.allSatisfy { $0.code == .kindUnknown })
        let ratio = try ProcessorTime.ratio {
            _ = try Sample.validated(rejected, context)
        } to: {
            _ = try Sample.validated(accepted, context)
        }
        print("a rejected event takes \(ratio) times as long")
        #expect(ratio < 5)
    }

    /// Each time such a text is unescaped, it becomes five bytes shorter.
    @Test func `a text of escaped backslashes takes time in proportion to its length`() throws {
        let context = Self.context
        let texts = [500, 8_000].map { "{\"text\":\"\\\(String(repeating: "u005c", count: $0))\"}" }
        let short = (0..<16).map { _ in Self.body(1, kind: "unheard_of") { _ in texts[0] } }
        let long = Self.body(1, kind: "unheard_of") { _ in texts[1] }
        let kept = try Sample.validated(long, context).rejections.map(\.submittedEvent)
        #expect(kept.count == 1 && kept[0]?.contains("u005c") == false, "it may be typed text under many escapes")
        let ratio = try ProcessorTime.ratio {
            _ = try Sample.validated(long, context)
        } to: {
            for body in short { _ = try Sample.validated(body, context) }
        }
        #expect(ratio < 4, "it takes \(ratio) times as long as 16 that are a sixteenth as long")
    }

    @Test func `texts that the events of a request have in common are hashed once`() throws {
        let hashed = Mutex<[String]>([])
        var search = RejectedEventSearch(until: 1) { text in
            hashed.withLock { $0.append(String(decoding: text, as: UTF8.self)) }
            return text == Array("gone".utf8)
        }
        let events = (0..<50).map { Sample.event(["device_id": Sample.quoted("device \($0)")]) }
        for event in events + [Sample.event(["x": Sample.quoted("gone")])] {
            let rejection = Rejection(index: 0, eventID: nil, code: .kindUnknown, detail: "", submittedEvent: event)
            let isKept = search.checked(rejection).submittedEvent == event
            #expect(isKept == !event.contains("gone"))
        }
        let texts = hashed.withLock(\.self)
        #expect(Set(texts).count == texts.count, "no text is hashed twice")
        #expect(texts.filter { $0.hasPrefix("device ") }.count == 50)
    }

    @Test func `only base64 that can name a device is decoded`() {
        let subject = WantedTexts([Array(#""sub""#.utf8)])
        #expect(Base64Runs(Array(Sample.event(["properties": Self.prose(1)]).utf8), with: subject).texts.isEmpty)
        for claims in [#"{"sub":"gone"}"#, #"{"\u0073ub":"gone"}"#, #"{"s\u0075b":"gone"}"#, #"{\"sub\":\"gone\"}"#] {
            for (start, end) in [("", ""), ("x", ""), ("xy", ""), ("xyz", ""), ("-", "tail"), ("__", "t")] {
                let text = start + Data((start + claims).utf8).base64EncodedString() + end
                let found = Base64Runs(Array(text.utf8), with: subject).texts
                #expect(found.contains { String(decoding: $0, as: UTF8.self).contains("gone") }, "\(text)")
                #expect(RejectedEventTexts(#"{"a":"\#(text)"}"#).texts.contains(Array("gone".utf8)), "\(text)")
            }
        }
    }

    @Test func `many devices are found in every event in which one of them is`() {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        func text(_ lengths: ClosedRange<Int>) -> String {
            String(
                (0..<Int.random(in: lengths, using: &random)).map { _ in "ab-1".randomElement(using: &random) ?? "a" })
        }
        var found = 0
        for _ in 0..<2_000 {
            let devices = (0..<Int.random(in: 1...30, using: &random)).map { _ in text(1...14) }
            let plain = text(0...20)
            let wanted = WantedTexts(devices.map { Array($0.utf8) })
            #expect(
                wanted.isAny(in: Array(plain.utf8)) == devices.contains { plain.contains($0) }, "\(devices) in \(plain)"
            )
            let event =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: plain
                case 1: plain.replacing("a", with: #"\u0061"#)
                case 2: plain.replacing("-", with: "%2D")
                default: "x" + Data("{\(plain)}".utf8).base64EncodedString()
                }
            if devices.contains(where: { DeviceMentions(of: [$0]).isPossible(in: event) }) {
                found += 1
                #expect(DeviceMentions(of: devices).isPossible(in: event), "\(devices) in \(event)")
            }
        }
        #expect((500..<1_900).contains(found), "\(found)")
    }

    @Test func `looking for a thousand devices takes hardly longer than looking for one`() throws {
        let event = Sample.event(["properties": Self.prose(7)])
        let (one, many) = (DeviceMentions(of: ["device-0"]), DeviceMentions(of: (0..<1_000).map { "device-\($0)" }))
        let ratio = try ProcessorTime.ratio {
            for _ in 0..<20 { _ = many.isPossible(in: event) }
        } to: {
            for _ in 0..<20 { _ = one.isPossible(in: event) }
        }
        #expect(ratio < 3)
    }

    @Test func `the database looks closely only at events that mention a device`() {
        let receipt = Data(#"{"iss":"shop","jti":"n-1","sub":"another","iat":1790000000,"exp":1790086400}"#.utf8)
        let mention = DeviceMentions(of: ["lonely-1"])
        func isPossible(_ text: String) -> Bool {
            mention.isPossible(in: Sample.event(["a": Sample.quoted(text), "properties": Self.prose(7)]))
        }
        #expect(!isPossible("lonely") && !isPossible("lonely1") && !isPossible("eyJ." + receipt.base64EncodedString()))
        #expect(isPossible("x?lonely-1"))
        #expect(isPossible(#"lonely\u002d1"#) && isPossible("lonely%2D1"))
        for start in ["", "x", "xy"] {
            for text in ["{lonely-1", #"{lonely\u002D1"#, #"{\l\onely-1"#] {
                #expect(isPossible("x" + Data((start + text).utf8).base64EncodedString()))
            }
        }
        #expect(DeviceMentions(of: ["gerät"]).isPossible(in: "{}"), "the database reads it in more ways")
    }
}
