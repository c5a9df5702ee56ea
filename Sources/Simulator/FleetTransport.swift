import AfterpushClient
import AfterpushWire
import Foundation
import Synchronization

/// A transport of one sender that counts responses and loses some of them on purpose.
final class FleetTransport: EventTransport {
    private struct ResponseLost: Error {}

    /// The last failed request, and the number of failures since the last success.
    struct Failure: Sendable {
        var status: Int?
        var code: String?
        var detail: String?
        var attempts = 0
    }

    private struct Problem: Decodable {
        let code: String?
        let detail: String?
    }

    private struct State {
        var tally = FleetTally()
        var failure = Failure()
        var random: RandomSource
    }

    private let network: any EventTransport
    private let lostResponses: Double
    private let state: Mutex<State>

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - lostResponses: The share of responses that are lost.
    ///   - random: Decides which ones.
    init(_ network: any EventTransport, lostResponses: Double = 0, random: RandomSource = RandomSource(seed: 0)) {
        self.network = network
        self.lostResponses = lostResponses
        state = Mutex(State(random: random))
    }

    var failure: Failure { state.withLock { $0.failure } }

    /// Returns the sum of the responses since the last call, including the lost ones.
    func takeTally() -> FleetTally {
        state.withLock { state in
            defer { state.tally = FleetTally() }
            return state.tally
        }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let response: TransportResponse
        do {
            response = try await network.send(request)
        } catch {
            recordFailure(nil, status: nil, "\(error)")
            throw error
        }
        guard [200, 202, 422].contains(response.status),
            let body = try? JSONDecoder().decode(IngestResponse.self, from: response.body)
        else {
            let problem = try? JSONDecoder().decode(Problem.self, from: response.body)
            recordFailure(problem, status: response.status, nil)
            return response
        }
        let isLost = state.withLock { state in
            state.tally.add(body)
            state.failure = Failure()
            return state.random.happens(lostResponses)
        }
        if isLost { throw ResponseLost() }
        return response
    }

    private func recordFailure(_ problem: Problem?, status: Int?, _ detail: String?) {
        state.withLock { state in
            let attempts = state.failure.attempts + 1
            state.failure = Failure(
                status: status, code: problem?.code, detail: problem?.detail ?? detail, attempts: attempts)
        }
    }
}
