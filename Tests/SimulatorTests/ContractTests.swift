import AfterpushWire
import Foundation
import Testing

@testable import Simulator

@Suite struct ContractTests {
    private static let kinds = Set(EventKind.allCases.map(\.rawValue))
    private static let fields: Set = [
        "event_id", "kind", "action_identifier", "user_text", "notification_id", "device_id", "occurred_at",
        "campaign_id", "category_id", "variant", "category_version", "receipt", "platform", "surface", "trigger",
        "app_state", "app_version", "os_version", "locale", "utc_offset_minutes", "dismiss_cause", "handling", "reason",
        "name", "value", "currency", "properties",
    ]

    private func members(_ events: [IngestEvent]) throws -> [[String: Any]] {
        try #require(JSONSerialization.jsonObject(with: Sample.json(events)) as? [[String: Any]])
    }

    @Test func `every event has the fields that the contract and its kind require`() throws {
        for event in try members(Sample.demo.sends + Sample.deviceEvents(Sample.demo)) {
            let kind = try #require((event["kind"] as? String).flatMap(EventKind.init))
            #expect(Set(event.keys).isSubset(of: Self.fields))
            #expect((event["event_id"] as? String).flatMap(UUID.init(uuidString:)) != nil)
            #expect((event["occurred_at"] as? String).flatMap(Timestamp.init) != nil)
            #expect(event["device_id"] is String && event["platform"] is String && event["app_version"] is String)
            // Outcomes name no notification.
            #expect((event["notification_id"] is String) == !kind.isAboutDevice || kind == .converted)
            #expect((event["reason"] is String) == (kind == .failed || kind == .attachmentFailed))
            #expect((event["user_text"] is String) == (kind == .textInput))
            #expect((event["value"] is NSNumber && event["currency"] is String) == (kind == .converted))
            if kind == .action || kind == .textInput { #expect(event["action_identifier"] is String) }
        }
    }

    @Test func `only the server posts sends, and every kind that a fleet produces occurs`() throws {
        let server = Set(Sample.demo.sends.map(\.kind))
        let devices = Set(Sample.deviceEvents(Sample.demo).map(\.kind))
        #expect(server == [.sent, .failed, .heldOut])
        #expect(
            devices == [
                .delivered, .displayed, .read, .opened, .action, .textInput, .dismissed, .converted, .attachmentFailed,
                .tokenRegistered, .permissionGranted, .permissionRevoked, .appOpened,
            ])
    }

    @Test func `Apple's action identifiers match their kinds`() {
        for event in Sample.deviceEvents(Sample.demo) where event.actionIdentifier != nil {
            #expect((event.actionIdentifier == ActionIdentifier.appleDefault) == (event.kind == .opened))
            #expect((event.actionIdentifier == ActionIdentifier.appleDismiss) == (event.kind == .dismissed))
        }
    }

    @Test func `the goals of the demo's campaigns are declared in its categories`() throws {
        struct Categories: Decodable {
            let categories: [Category]
            struct Category: Decodable {
                let identifier: String
                let options: [String]?
                let actions: [Action]
            }
            struct Action: Decodable {
                let identifier: String
                let goal: Bool?
            }
        }
        let declared = try JSONDecoder().decode(Categories.self, from: Data(FleetPlan.demoCategories.utf8)).categories
        for campaign in FleetPlan.demo(now: Sample.now).campaigns {
            let category = try #require(declared.first { $0.identifier == campaign.category })
            #expect(category.actions.filter { $0.goal == true }.map(\.identifier) == campaign.goals)
            #expect((category.options ?? []).contains("customDismissAction") == campaign.reportsDismissals)
        }
    }
}
