/// What a collector took of a load.
package struct LoadOutcome: Sendable {
    /// Of requests whose events were all acknowledged, in ascending order: from the request to its answer.
    package let latencies: [Duration]
    /// Requests answered otherwise, or not at all.
    package let failures: Int
    /// From the first request to the last answer.
    package let elapsed: Duration
    package let eventsPerRequest: Int

    package var requestsPerSecond: Double { Double(latencies.count) / (elapsed / .seconds(1)) }
    package var eventsPerSecond: Double { requestsPerSecond * Double(eventsPerRequest) }

    /// The nearest rank's latency; nil without an answer.
    package func quantile(_ share: Double) -> Duration? {
        guard !latencies.isEmpty else { return nil }
        let rank = (share * Double(latencies.count)).rounded(.up)
        return latencies[min(max(Int(rank), 1), latencies.count) - 1]
    }
}
