import Postgres
import Testing

@testable import Storage

/// Tests what the facts of a replica mean.
@Suite struct ReplicaFactsTests {
    private static func facts(
        database: String = "7/5", started: String = "monday", standby: Bool = false, age: Double? = nil,
        position: Int64 = 100
    ) -> ReplicaCheck.Facts {
        .init(database: database, startedAt: started, isStandby: standby, age: age, position: position)
    }

    /// Returns the lag in seconds, or nil for a foreign database.
    private func lag(
        _ replica: ReplicaCheck.Facts, primaryAt position: Int64? = 100, isOwn: Bool = true, missing: Double? = nil
    ) -> Double? {
        replica.reading(primary: Self.facts(), position: position, mark: .init(isOwn: isOwn, missing: missing))
            .lag.map { $0 / .seconds(1) }
    }

    @Test func `a standby that has replayed up to the primary's position is not behind, however old the last commit`() {
        #expect(lag(Self.facts(started: "sunday", standby: true, age: 500, position: 100)) == 0)
        #expect(lag(Self.facts(started: "sunday", standby: true, age: 500, position: 99)) == 500)
        #expect(lag(Self.facts(started: "sunday", standby: true, age: nil, position: 99)) == 86_400)
    }

    @Test func `without the primary's position, the age of the last commit counts`() {
        #expect(lag(Self.facts(started: "sunday", standby: true, age: 3, position: 100), primaryAt: nil) == 3)
        #expect(lag(Self.facts(started: "sunday", standby: true, age: -0.2, position: 100), primaryAt: nil) == 0)
    }

    @Test func `a server that writes is used only if it is the primary itself`() {
        #expect(lag(Self.facts()) == 0)
        #expect(lag(Self.facts(started: "sunday")) == nil)
    }

    @Test func `a standby with a mark that is not the primary's is never used, and one that lacks a mark is behind`() {
        let replica = Self.facts(started: "sunday", standby: true, age: 0, position: 200)
        #expect(lag(replica) == 0)
        #expect(lag(replica, isOwn: false) == nil)
        #expect(lag(replica, missing: 70) == 70)
        #expect(lag(replica, primaryAt: nil) == 0)
    }

    @Test func `another database is never used`() {
        #expect(lag(Self.facts(database: "7/6", standby: true, age: 0)) == nil)
        #expect(lag(Self.facts(database: "8/5", standby: true, age: 0)) == nil)
    }
}
