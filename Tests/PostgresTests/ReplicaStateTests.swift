import Testing

@testable import Postgres

/// Tests when a replica is used.
@Suite struct ReplicaStateTests {
    private struct Gone: Error {}

    private var state = ReplicaState(maxLag: .seconds(60))

    @Test mutating func `the first good check is enough at the start`() {
        #expect(!state.isUsable)
        #expect(state.record(.replica(lag: .seconds(1))) == .first)
        #expect(state.isUsable && state.lag == .seconds(1))
        #expect(state.record(.replica(lag: .seconds(60))) == nil)
        #expect(state.isUsable)
    }

    @Test(arguments: [
        (ReplicaReading.away(Gone()), ReplicaState.Cause.away), (.replica(lag: .milliseconds(60_001)), .behind),
        (.foreign, .foreign),
    ])
    mutating func `a replica that can't be used is left at once, and used again after three good checks`(
        reading: ReplicaReading, cause: ReplicaState.Cause
    ) {
        _ = state.record(.replica(lag: .zero))
        #expect(state.record(reading) == .fellBack(cause))
        #expect(!state.isUsable && state.cause == cause)
        #expect(state.record(reading) == nil)
        #expect(state.record(.replica(lag: .zero)) == nil)
        #expect(state.record(.replica(lag: .zero)) == nil)
        #expect(!state.isUsable)
        #expect(state.record(reading) == nil)
        #expect(state.record(.replica(lag: .zero)) == nil)
        #expect(state.record(.replica(lag: .zero)) == nil)
        #expect(state.record(.replica(lag: .zero)) == .returned)
        #expect(state.isUsable && state.cause == nil)
    }

    @Test mutating func `a replica that is away at the start is reported once, and another cause again`() {
        #expect(state.record(.away(Gone())) == .fellBack(.away))
        #expect(state.record(.away(Gone())) == nil)
        #expect(state.lag == nil)
        #expect(state.record(.replica(lag: .seconds(90))) == .fellBack(.behind))
        #expect(state.lag == .seconds(90))
    }
}
