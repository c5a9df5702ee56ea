import AfterpushClient
import AfterpushWire
import Foundation
import Testing

@testable import Simulator

/// Tests the effect of segments and forgers on a fleet.
@Suite struct SegmentTests {
    private static let signer = ReceiptSigner(app: "shop", secret: Data(repeating: 1, count: 32))

    private static func traffic(signer: ReceiptSigner? = nil, _ change: (inout FleetSegment) -> Void) -> FleetTraffic {
        var plan = FleetPlan.demo(now: Sample.now)
        plan.devices = 500
        for index in plan.segments.indices { change(&plan.segments[index]) }
        return FleetTraffic(plan, signer: signer)
    }

    @Test func `each segment has its share of devices and behaves as planned`() throws {
        let truth = Sample.demo.truth
        for (segment, planned) in zip(truth.segments, FleetSegment.demo) {
            #expect(abs(Double(segment.devices) / 2_000 - planned.weight) < 0.03, "\(segment.segment)")
        }
        let laggards = try #require(truth.segments.first { $0.segment == "laggards" })
        #expect(laggards.confirmed == 0 && laggards.responded > 0)
        let eager = Self.traffic { if $0.name == "android" { $0.habits.open = 3 } }.truth.segments
        let normal = Self.traffic { _ in }.truth.segments
        for (eager, normal) in zip(eager, normal) {
            #expect(eager.segment == "android" ? eager.responded > normal.responded * 5 / 4 : eager == normal)
        }
    }

    @Test func `a segment with slower responses responds later`() {
        func median(_ factor: Double) -> Double {
            let traffic = Self.traffic {
                $0.habits.responseTime = factor; $0.offline = 0
            }
            let sent = Dictionary(
                uniqueKeysWithValues: traffic.sends.map { ([$0.notificationID, $0.deviceID], $0.occurredAt) })
            let times = Sample.corrected(traffic).compactMap { event -> Double? in
                guard event.kind == .action, let start = sent[[event.notificationID, event.deviceID]] else {
                    return nil
                }
                return start.seconds(until: event.occurredAt)
            }
            return times.sorted()[times.count / 2]
        }
        #expect((1.8...2.2).contains(median(2) / median(1)))
    }

    @Test func `an unreachable device receives and posts nothing, and catches up afterwards`() {
        let traffic = Self.traffic { segment in
            segment.offline = 1
            segment.offlineHours = 40..<60
            segment.wrongClocks = 0
        }
        var most = 0
        for visit in traffic.visits {
            guard let offline = traffic.devices[visit.device].offline else { continue }
            #expect(!offline.contains(visit.due))
            for entry in visit.entries where entry.event.kind == .delivered {
                #expect(!offline.contains(entry.time.advanced(by: -traffic.devices[visit.device].clockSkew)))
            }
            most = max(most, visit.entries.count)
        }
        #expect(most > 5)
    }

    @Test func `device clocks deviate as the segment says`() {
        let traffic = Self.traffic { segment in
            segment.wrongClocks = 0.5
            segment.clockError = 5_000..<6_000
        }
        let wrong = traffic.devices.filter { abs($0.clockSkew) >= 1 }
        #expect(wrong.allSatisfy { (5_000..<6_000).contains(abs($0.clockSkew)) })
        #expect((200...300).contains(wrong.count) && wrong.contains { $0.clockSkew < 0 })
    }

    @Test func `with a secret every notification has a receipt for its device that is valid from its send on`() throws {
        struct Claims: Decodable {
            let iss: String
            let jti: String
            let sub: String
            let iat: Int64
        }
        let traffic = Self.traffic(signer: Self.signer) { _ in }
        let sent = Dictionary(
            uniqueKeysWithValues: traffic.sends.map { ([$0.notificationID, $0.deviceID], $0.occurredAt) })
        for visit in traffic.visits.prefix(300) {
            for entry in visit.entries {
                guard let notification = entry.event.notification else { continue }
                let parts = try #require(notification.receipt).split(separator: ".")
                let text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
                let padded = text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
                let claims = try JSONDecoder().decode(Claims.self, from: try #require(Data(base64Encoded: padded)))
                #expect(claims.iss == "shop" && claims.jti == notification.notificationID)
                #expect(claims.sub == traffic.devices[visit.device].id)
                let send = try #require(sent[[claims.jti, claims.sub]])
                #expect(claims.iat == send.microseconds / 1_000_000)
            }
        }
    }

    @Test func `every kind of forgery occurs, and the truth file says which forged events count`() throws {
        let traffic = Self.traffic(signer: Self.signer) { $0.forgers = 0.1 }
        let forged = traffic.truth.forged
        #expect(Set(forged.rejected.keys) == ["receipt_invalid", "receipt_mismatch", "receipt_expired"])
        #expect(forged.rejected.values.allSatisfy { (25...80).contains($0) })
        #expect((25...80).contains(forged.unverified) && (25...80).contains(forged.refused))
        // The truth is the same as without forgers.
        let honest = Self.traffic(signer: Self.signer) { _ in }.truth
        #expect(traffic.truth.verified == honest.verified && honest.verified == honest.variants)
        let claims = zip(traffic.truth.variants, honest.variants).map { $0.responded - $1.responded }
        #expect(claims.allSatisfy { $0 >= 0 } && claims.reduce(0, +) > forged.unverified / 3)
        // Forgers do not forge events of their own device.
        for forgery in traffic.forgeries { #expect(forgery.event.notificationID?.isEmpty == false) }
    }

    @Test func `without receipts no device event is verified`() {
        let truth = Self.traffic { _ in }.truth
        for (verified, all) in zip(truth.verified, truth.variants) {
            #expect(verified.sent == all.sent && verified.failed == all.failed && verified.delivered == 0)
        }
        let forged = Self.traffic { $0.forgers = 0.1 }.truth.forged
        #expect(Set(forged.rejected.keys) == ["receipt_invalid"])
    }

    @Test func `a secret is parsed in the form in which the program prints it`() {
        #expect(ReceiptSigner(app: "shop", secret: "AQEBAQ-_") != nil)
        #expect(
            ReceiptSigner(app: "shop", secret: "") == nil && ReceiptSigner(app: "shop", secret: "no secret!") == nil)
    }
}
