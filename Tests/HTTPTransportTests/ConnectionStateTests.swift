import Logging
import Testing

@testable import HTTPTransport

/// Tests the decisions of the connection handlers without a connection.
struct ConnectionStateTests {
    private let start = ContinuousClock.now

    @Test func `a body has a total time limit and a minimum rate`() {
        let limits = HTTPLimits()
        var bodyRate = MinimumBodyRate(limits, at: start)
        #expect(bodyRate.check(at: start) == .checkAgain(start + .seconds(1)))
        #expect(bodyRate.check(at: start + .seconds(1)) == .tooSlow)
        bodyRate.receive(2 * 1_024)
        #expect(bodyRate.check(at: start + .seconds(1)) == .checkAgain(start + .seconds(3)))
        #expect(bodyRate.check(at: start + .seconds(3)) == .tooSlow)
        bodyRate.receive(1 << 20)
        #expect(bodyRate.check(at: start + .seconds(9)) == .checkAgain(start + .seconds(10)))
        #expect(bodyRate.check(at: start + .seconds(10)) == .tooSlow)
    }

    @Test func `the minimum rate of a compressed body grows with its decompressed size`() {
        let limits = HTTPLimits()
        func deadline(received: Int, decompressed: Int) -> MinimumBodyRate.Verdict {
            var bodyRate = MinimumBodyRate(limits, at: start)
            bodyRate.receive(received)
            bodyRate.decompress(to: decompressed)
            return bodyRate.check(at: start)
        }
        // Small bodies, and those that hardly grow, have the same time as others.
        #expect(deadline(received: 4_096, decompressed: 128 * 1024) == .checkAgain(start + .seconds(5)))
        #expect(deadline(received: 1 << 20, decompressed: 5 << 20) == .checkAgain(start + .seconds(10)))
        // 5 MiB from 80 KiB: 40 times the rate. Without that, they could be held for ten seconds.
        #expect(deadline(received: 80 * 1024, decompressed: 5 << 20) == .checkAgain(start + .seconds(3)))
        #expect(deadline(received: 80 * 1024, decompressed: 0) == .checkAgain(start + .seconds(10)))
        // What is read again doesn't make it smaller.
        var bodyRate = MinimumBodyRate(limits, at: start)
        bodyRate.receive(8 * 1024)
        bodyRate.decompress(to: 512 * 1024)
        bodyRate.decompress(to: 1)
        #expect(bodyRate.check(at: start) == .checkAgain(start + .seconds(3)))
    }

    @Test func `a pipelined body is not the one that the responder reads`() {
        var pipelineState = PipelineState()
        #expect(pipelineState.beginRequest() == true)
        #expect(pipelineState.isReadingCurrent)
        pipelineState.endRequest()
        #expect(pipelineState.beginRequest() == true)
        #expect(!pipelineState.isReadingCurrent)
        #expect(pipelineState.beginAnswer(closes: false) == false)
        #expect(pipelineState.isReadingCurrent)
    }

    @Test func `time in which the server does not read is not charged to the sender`() {
        var bodyRate = MinimumBodyRate(HTTPLimits(), at: start)
        bodyRate.pause(at: start + .seconds(0.5))
        #expect(bodyRate.check(at: start + .seconds(60)) != .tooSlow)
        bodyRate.resume(at: start + .seconds(60))
        #expect(bodyRate.check(at: start + .seconds(60)) == .checkAgain(start + .seconds(60.5)))
        #expect(bodyRate.check(at: start + .seconds(60.5)) == .tooSlow)
    }

    @Test func `a client that reads nothing is stalled, and one that reads little is not`() {
        var progress = WriteProgress(timeout: .seconds(10))
        progress.write(1_000)
        #expect(progress.check(waiting: 0, at: start) == .done)
        progress.write(1_000)
        #expect(progress.check(waiting: 1_000, at: start) == .checkAgain(start + .seconds(2.5)))
        #expect(progress.check(waiting: 999, at: start + .seconds(9)) == .checkAgain(start + .seconds(11.5)))
        #expect(progress.check(waiting: 999, at: start + .seconds(18.9)) == .checkAgain(start + .seconds(19)))
        progress.write(5_000)
        #expect(progress.check(waiting: 5_999, at: start + .seconds(19)) == .stuck)
        #expect(progress.check(waiting: 0, at: start + .seconds(20)) == .done)
    }

    @Test func `a response to a request that is still being read is the last one`() {
        var pipelineState = PipelineState()
        #expect(pipelineState.beginRequest() == true)
        pipelineState.endRequest()
        #expect(pipelineState.beginRequest() == true)
        // The first request's response, while the second one is read.
        #expect(pipelineState.beginAnswer(closes: false) == false)
        #expect(pipelineState.isClosing == false)
        #expect(pipelineState.beginAnswer(closes: false) == true)
        #expect(pipelineState.isClosing == true)
        pipelineState.endRequest()
        #expect(pipelineState.beginRequest() == false)
    }

    @Test func `nothing is read after the last request, and earlier requests are answered`() {
        var pipelineState = PipelineState()
        #expect(pipelineState.beginRequest() == true)
        pipelineState.endRequest()
        pipelineState.nextIsLast()
        #expect(pipelineState.beginRequest() == true)
        pipelineState.endRequest()
        #expect(pipelineState.beginRequest() == false)
        #expect(pipelineState.beginAnswer(closes: false) == false)
        #expect(pipelineState.isClosing == false)
        #expect(pipelineState.beginAnswer(closes: false) == true)
        #expect(pipelineState.isClosing == true)
    }

    @Test func `the number of connections per address is limited, except for exempt networks`() throws {
        var limits = HTTPLimits()
        limits.connectionsPerAddress = 2
        let limiter = ConnectionLimiter(limits, exempt: [.loopback], logger: Logger(label: "test"))
        let stranger = try #require(ClientAddress(text: "1.2.3.4"))
        let own = try #require(ClientAddress(text: "127.0.0.1"))
        let first = try #require(limiter.open(stranger) {})
        #expect(limiter.open(stranger, {}) != nil)
        #expect(limiter.open(stranger, {}) == nil)
        limiter.close(first)
        #expect(limiter.open(stranger, {}) != nil)
        for _ in 0..<10 { #expect(limiter.open(own, {}) != nil) }
    }
}
