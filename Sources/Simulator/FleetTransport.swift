import AfterpushClient
import AfterpushWire
import Foundation
import Synchronization

/// The way of one sender's requests to the collector: counts what it answers, and loses some of its answers.
final class FleetTransport: EventTransport {
    private struct AnswerLost: Error {}

    /// Why the last request was not taken, and how many were not since the last that was.
    struct Failure: Sendable {
        var status: Int?
        var code: String?
        var detail: String?
        var tries = 0
    }

    private struct Problem: Decodable {
        let code: String?
        let detail: String?
    }

    private struct State {
        var tally = FleetTally()
        var failure = Failure()
        var dice: RandomSource
    }

    private let network: any EventTransport
    private let lostAnswers: Double
    private let state: Mutex<State>

    /// - Parameter dice: throws for which answers get lost.
    init(_ network: any EventTransport, lostAnswers: Double = 0, dice: RandomSource = RandomSource(seed: 0)) {
        self.network = network
        self.lostAnswers = lostAnswers
        state = Mutex(State(dice: dice))
    }

    var failure: Failure { state.withLock { $0.failure } }

    /// What was answered since this was last asked, lost answers included.
    func takeTally() -> FleetTally {
        state.withLock { state in
            defer { state.tally = FleetTally() }
            return state.tally
        }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let answer: TransportResponse
        do {
            answer = try await network.send(request)
        } catch {
            fail(Problem?.none, status: nil, "\(error)")
            throw error
        }
        guard [200, 202, 422].contains(answer.status),
            let taken = try? JSONDecoder().decode(IngestResponse.self, from: answer.body)
        else {
            fail(try? JSONDecoder().decode(Problem.self, from: answer.body), status: answer.status, nil)
            return answer
        }
        let isLost = state.withLock { state in
            state.tally.add(taken)
            state.failure = Failure()
            return state.dice.happens(lostAnswers)
        }
        if isLost { throw AnswerLost() }
        return answer
    }

    private func fail(_ problem: Problem?, status: Int?, _ detail: String?) {
        state.withLock { state in
            let tries = state.failure.tries + 1
            state.failure = Failure(
                status: status, code: problem?.code, detail: problem?.detail ?? detail, tries: tries)
        }
    }
}
