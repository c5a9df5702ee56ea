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

    @Test func `a client that reads nothing, or too little, is stuck, and one that reads slowly is not`() {
        func check(_ progress: inout WriteProgress, taken: Int, at seconds: Double) -> WriteProgress.Verdict {
            progress.check(waiting: 1_000, taken: taken, isHeldUp: true, at: start + .seconds(seconds))
        }
        var idle = WriteProgress(HTTPLimits())
        #expect(idle.check(waiting: 0, taken: 5, isHeldUp: false, at: start) == .done)
        #expect(check(&idle, taken: 100_000, at: 0) == .checkAgain(start + .seconds(1)))
        #expect(check(&idle, taken: 100_000, at: 9.5) == .checkAgain(start + .seconds(10)))
        #expect(check(&idle, taken: 100_000, at: 10) == .stuck)
        #expect(idle.check(waiting: 0, taken: 0, isHeldUp: false, at: start + .seconds(20)) == .done)
        // A byte every second gives a millisecond each.
        var dripping = WriteProgress(HTTPLimits())
        for second in 0...9 { #expect(check(&dripping, taken: second, at: Double(second)) != .stuck) }
        #expect(check(&dripping, taken: 10, at: 10.1) == .stuck)
        // Twice the least rate, in pieces; what was read before it was slow helps no longer than the timeout.
        var slow = WriteProgress(HTTPLimits())
        for turn in 0..<100 { #expect(check(&slow, taken: 1 << 20 + turn * 16 * 1024, at: Double(8 * turn)) != .stuck) }
        #expect(check(&slow, taken: 1 << 20 + 99 * 16 * 1024, at: 8 * 99 + 10) == .stuck)
    }

    @Test func `without a least rate every byte gives a client all the time`() {
        var limits = HTTPLimits()
        limits.writeRate = 0
        var progress = WriteProgress(limits)
        for turn in 0..<20 {
            let now = start + .seconds(9 * turn)
            #expect(progress.check(waiting: 1_000, taken: turn, isHeldUp: true, at: now) != .stuck)
        }
        #expect(progress.check(waiting: 1_000, taken: 19, isHeldUp: true, at: start + .seconds(9 * 19 + 10)) == .stuck)
    }

    @Test func `a client holds its responses up when it reads less than 16 KiB a second for two seconds`() {
        func pace(ofReading rate: Int, until seconds: Int, waiting: Int = 1_000) -> Int? {
            var progress = WriteProgress(HTTPLimits())
            for second in 0...seconds {
                let now = start + .seconds(second)
                _ = progress.check(waiting: waiting, taken: 9_999 + second * rate, isHeldUp: true, at: now)
            }
            return progress.heldUpPace
        }
        #expect(pace(ofReading: 0, until: 1) == nil)
        #expect(pace(ofReading: 0, until: 2) == 0)
        #expect(pace(ofReading: 12_000, until: 6) == nil)
        #expect(pace(ofReading: 12_000, until: 20) == 12_000)
        #expect(pace(ofReading: 20_000, until: 100) == nil)
        #expect(pace(ofReading: 10, until: 100, waiting: 0) == 10, "bytes that wait for windows count")
        var progress = WriteProgress(HTTPLimits())
        for second in 0...100 {
            _ = progress.check(waiting: 9, taken: 0, isHeldUp: true, at: start + .seconds(second))
        }
        #expect(progress.heldUpPace == 0)
        // It reads again.
        for second in 101...105 {
            let taken = (second - 100) * 20_000
            _ = progress.check(waiting: 9, taken: taken, isHeldUp: true, at: start + .seconds(second))
        }
        #expect(progress.heldUpPace == 4 || progress.heldUpPace == nil)
        #expect(progress.check(waiting: 0, taken: 0, isHeldUp: false, at: start + .seconds(200)) == .done)
        #expect(progress.heldUpPace == nil)
    }

    @Test func `frames that ask for nothing are limited by time, requests and bytes`() {
        var allowance = FrameAllowance()
        #expect(allowance.spend(200, at: start) == true)
        #expect(allowance.spend(1, at: start) == false)
        allowance = FrameAllowance()
        #expect(allowance.spend(200, at: start) == true)
        #expect(allowance.spend(50, at: start + .seconds(7.6)) == true)
        #expect(allowance.spend(1, at: start + .seconds(7.6)) == false)
        allowance = FrameAllowance()
        allowance.addRequest()
        for _ in 0..<10 { allowance.add(bytes: 256) }
        #expect(allowance.spend(200 + 2 + 5, at: start) == true)
        #expect(allowance.spend(1, at: start) == false)
        allowance = FrameAllowance()
        allowance.add(bytes: 1 << 40)
        #expect(allowance.spend(200 + 16 * 1024, at: start) == true)
        #expect(allowance.spend(1, at: start) == false)
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
