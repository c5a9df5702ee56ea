import AfterpushWire
import EventSamples
import Foundation
import JSON
import SeededRandom
import Testing

@testable import Events

/// Tests randomly broken bodies. The seed is printed; set `AFTERPUSH_TEST_SEED` to reproduce the same bodies.
@Suite struct RandomBodyTests {
    private let seed: UInt64
    private var maker: BodyMaker

    init() {
        seed =
            ProcessInfo.processInfo.environment["AFTERPUSH_TEST_SEED"].flatMap { UInt64($0) }
            ?? .random(in: 0...UInt64.max)
        print("random bodies: seed \(seed)")
        maker = BodyMaker(generator: SeededGenerator(seed: seed))
    }

    @Test mutating func `every broken body is refused or its events are rejected, without a crash`() {
        for _ in 0..<15_000 {
            let body = maker.broken(maker.event())
            for format in [BodyFormat.json, .ndjson] {
                guard let submission = try? Submission.read(body, as: format) else { continue }
                let result = submission.validated(Sample.context())
                #expect(result.events.count + result.rejections.count == submission.count, "seed \(seed)")
                // A quote after a backslash does not begin a name: `"x\"user_text"` is another field.
                for kept in result.rejections.compactMap(\.submittedEvent) where kept.contains("secret") {
                    #expect(!kept.contains(/[^\\]"user_text"\s*:\s*"secret/), "seed \(seed): \(kept)")
                }
            }
        }
    }

    @Test mutating func `the decoder accepts the same JSON as Foundation`() {
        var compared = 0
        for _ in 0..<10_000 {
            let body = maker.broken("[\(maker.event()),\(maker.event())]")
            guard body.first == UInt8(ascii: "["), let text = String(validating: body, as: UTF8.self),
                let isRead = Self.isRead(body)
            else { continue }
            compared += 1
            let isJSON = (try? JSONSerialization.jsonObject(with: Data(body))) != nil
            #expect(isRead == isJSON || Self.isBeyondFoundation(text), "seed \(seed): \(text)")
        }
        #expect(compared > 2_500)
    }

    @Test mutating func `neighbours of a broken event are accepted`() throws {
        let good = Array(Sample.event().utf8)
        for _ in 0..<7_000 {
            let broken = maker.broken(maker.event())
            let text = String(decoding: broken, as: UTF8.self)
            let line = broken.filter { $0 != UInt8(ascii: "\n") }
            let lines = try Sample.validated(good + [0x0A] + line + [0x0A] + good, as: .ndjson)
            let last = lines.events.count + lines.rejections.count - 1
            #expect(lines.positions.first == 0 && lines.positions.last == last && last > 0, "seed \(seed): \(text)")

            let body = Array("[".utf8) + good + [0x2C] + broken + [0x2C] + good + Array("]".utf8)
            guard let submission = try? Submission.read(body, as: .json) else { continue }
            let positions = submission.validated(Sample.context()).positions
            #expect(positions.first == 0 && positions.last == submission.count - 1, "seed \(seed): \(text)")
        }
    }

    /// Whether every token of the body is JSON, or `nil` if that is unknown because an element is not an event.
    private static func isRead(_ body: [UInt8]) -> Bool? {
        guard let submission = try? Submission.read(body, as: .json) else { return false }
        for event in submission.events {
            switch event.flaw {
            case .notAnObject: return nil
            case .token(let fault, _) where fault.isSyntax: return false
            default: continue
            }
        }
        return true
    }

    /// Whether Foundation deviates from JSON: it refuses large exponents and accepts a comma before a bracket.
    private static func isBeyondFoundation(_ text: String) -> Bool {
        text.contains(/[eE][+-]?[0-9]{3}|,\s*[}\]]/)
    }
}
