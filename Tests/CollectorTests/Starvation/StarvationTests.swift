import AttackProcess
import Foundation
import TestSupport
import Testing

/// An attacker with the public ingest key of app A, one address and a megabit per second does not starve others: the
/// server of app A, and everything of app B.
///
/// They are measured in turns, without and with each attack. `AFTERPUSH_STARVATION=long` measures each attack for a
/// minute.
@Suite(.serialized) struct StarvationTests {
    /// A megabit per second, in bytes. HTTP/2 and TLS take so much processor time in a debug build that the attacker is
    /// given less there.
    private static func rate(_ attack: StarvationAttack) -> Double { attack.usesHTTP2 ? 12_500 : 125_000 }

    /// The times below which nothing is a finding, however fast others are when they are undisturbed.
    ///
    /// They share two processors with the attacker, PostgreSQL and a debug build, for which 5,000 events or a hundred new
    /// connections are a quarter of a second of work. When it ends 1,000 connections at once, as the attacker with slow
    /// headers can arrange, that takes a second. Who is starved fails, or waits for many seconds.
    private static func floors(_ attack: StarvationAttack) -> [Int: Duration] {
        [50: .milliseconds(150), 99: attack == .slowHeaders ? .seconds(2) : .seconds(1)]
    }

    private static let isLong = ProcessInfo.processInfo.environment["AFTERPUSH_STARVATION"] == "long"
    private static let plain = Task { try await AttackedCollector(isSecure: false) }
    private static let secure = Task { try await AttackedCollector(isSecure: true) }

    @Test(arguments: StarvationAttack.allCases)
    func `an attacker with a public key and one address does not starve others`(attack: StarvationAttack) async throws {
        let collector = try await (attack.usesHTTP2 ? Self.secure : Self.plain).value
        let outcome = try await collector.attack(
            attack, calm: .seconds(Self.isLong ? 20 : 1.5), for: .seconds(Self.isLong ? 60 : 3.5),
            rate: Self.rate(attack))
        #expect(outcome.counts.connections >= attack.leastConnections, "\(outcome.counts.line)")
        for (name, calm) in await collector.calm.sorted(by: { $0.key < $1.key }) {
            let disturbed = outcome.disturbed[name] ?? []
            let failure = disturbed.first { !$0.isSuccess }?.response ?? ""
            #expect(disturbed.success >= 0.95 * calm.success, "\(name): \(disturbed.success), such as \(failure)")
            for (percent, floor) in Self.floors(attack) {
                let (usual, time) = (calm.percentile(percent), disturbed.percentile(percent))
                #expect(time <= max(floor, usual * 2), "\(name): \(percent) % within \(time), undisturbed \(usual)")
            }
        }
        if attack == .inventedNames {
            for answer in try await collector.answersToNewNames() {
                #expect(answer.contains(#""accepted":1,"#), "\(answer)")
            }
        }
        #expect(await collector.memory < 384)
    }
}
