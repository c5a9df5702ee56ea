import Testing

@testable import HTTPTransport

/// The decisions of a connection's guards, without a connection.
struct ConnectionStateTests {
    private let start = ContinuousClock.now

    @Test func `a body has its whole time, but not at any pace`() {
        let limits = HTTPLimits()
        var bodyRate = MinimumBodyRate(limits, at: start)
        #expect(bodyRate.check(at: start) == .goOn(start + .seconds(1)))
        #expect(bodyRate.check(at: start + .seconds(1)) == .tooSlow)
        bodyRate.receive(2 * 1_024)
        #expect(bodyRate.check(at: start + .seconds(1)) == .goOn(start + .seconds(3)))
        #expect(bodyRate.check(at: start + .seconds(3)) == .tooSlow)
        bodyRate.receive(1 << 20)
        #expect(bodyRate.check(at: start + .seconds(9)) == .goOn(start + .seconds(10)))
        #expect(bodyRate.check(at: start + .seconds(10)) == .tooSlow)
    }

    @Test func `the time in which nothing is read is not the sender's`() {
        var bodyRate = MinimumBodyRate(HTTPLimits(), at: start)
        bodyRate.pause(at: start + .seconds(0.5))
        #expect(bodyRate.check(at: start + .seconds(60)) != .tooSlow)
        bodyRate.resume(at: start + .seconds(60))
        #expect(bodyRate.check(at: start + .seconds(60)) == .goOn(start + .seconds(60.5)))
        #expect(bodyRate.check(at: start + .seconds(60.5)) == .tooSlow)
    }

    @Test func `who takes nothing is stuck, and who takes little is not`() {
        var progress = WriteProgress(timeout: .seconds(10))
        progress.write(1_000)
        #expect(progress.check(waiting: 0, at: start) == .done)
        progress.write(1_000)
        #expect(progress.check(waiting: 1_000, at: start) == .goOn(start + .seconds(2.5)))
        #expect(progress.check(waiting: 999, at: start + .seconds(9)) == .goOn(start + .seconds(11.5)))
        #expect(progress.check(waiting: 999, at: start + .seconds(18.9)) == .goOn(start + .seconds(19)))
        progress.write(5_000)
        #expect(progress.check(waiting: 5_999, at: start + .seconds(19)) == .stuck)
        #expect(progress.check(waiting: 0, at: start + .seconds(20)) == .done)
    }

    @Test func `an answer to a request that is still being read is the last`() {
        var pipelineState = PipelineState()
        #expect(pipelineState.beginRequest() == true)
        pipelineState.endRequest()
        #expect(pipelineState.beginRequest() == true)
        // The first one's answer, while the second one is read.
        #expect(pipelineState.beginAnswer(closes: false) == false)
        #expect(pipelineState.endAnswer() == false)
        #expect(pipelineState.beginAnswer(closes: false) == true)
        #expect(pipelineState.endAnswer() == true)
        pipelineState.endRequest()
        #expect(pipelineState.beginRequest() == false)
    }

    @Test func `nothing is taken after the last request, and those before it are answered`() {
        var pipelineState = PipelineState()
        #expect(pipelineState.beginRequest() == true)
        pipelineState.endRequest()
        pipelineState.nextIsLast()
        #expect(pipelineState.beginRequest() == true)
        pipelineState.endRequest()
        #expect(pipelineState.beginRequest() == false)
        #expect(pipelineState.beginAnswer(closes: false) == false)
        #expect(pipelineState.endAnswer() == false)
        #expect(pipelineState.beginAnswer(closes: false) == true)
        #expect(pipelineState.endAnswer() == true)
    }

    @Test func `an address has so many connections, a machine of the operator's any number`() throws {
        let register = ConnectionLimiter(limit: 2, exempt: [.loopback])
        let stranger = try #require(ClientAddress(text: "1.2.3.4"))
        let own = try #require(ClientAddress(text: "127.0.0.1"))
        #expect(register.open(stranger))
        #expect(register.open(stranger))
        #expect(!register.open(stranger))
        register.close(stranger)
        #expect(register.open(stranger))
        for _ in 0..<10 { #expect(register.open(own)) }
    }
}
