import AfterpushWire
import EventSamples
import Foundation
import Testing

@testable import Declarations
@testable import Events

/// Tests names in events, limits of declarations, and what app versions can handle.
@Suite struct NameTests {
    private func events(_ changes: [[String: String?]]) throws -> [Event] {
        try changes.map { try Sample.accepted($0) }
    }

    @Test func `names are recorded below their parent, and only if they have one`() throws {
        let full = try Sample.accepted([
            "campaign_id": "\"c\"", "variant": "\"v\"", "category_id": "\"k\"", "category_version": "2",
            "app_version": "\"1.0\"", "kind": "\"action\"", "action_identifier": "\"book\"",
        ])
        #expect(
            full.statedNames.map { "\($0.kind.rawValue) \($0.parent)/\($0.name)" } == [
                "campaign /c", "variant c/v", "category /k", "category_version k/2", "action /book", "app_version /1.0",
            ])
        let opened = try Sample.accepted([
            "kind": nil, "action_identifier": "\"com.apple.UNNotificationDefaultActionIdentifier\"", "variant": "\"v\"",
        ])
        #expect(opened.statedNames == [])
    }

    @Test func `known names are not reserved again, and each unknown name is reserved once`() throws {
        var known = KnownNameCache()
        let events = try events([
            ["campaign_id": "\"a\""], ["campaign_id": "\"a\"", "app_version": "\"1\""], ["campaign_id": "\"b\""], [:],
        ])
        let unknown = known.unknown(in: events)
        #expect(unknown.map(\.name) == ["a", "1", "b"])
        known.learn(unknown.filter { $0.name != "b" })
        #expect(known.unknown(in: events).map(\.name) == ["b"])
        #expect(known.unknown(in: Array(events[..<2])).isEmpty && known.count == 2)
        let refused = KnownNameCache.refused(in: events, Set(unknown.filter { $0.name == "b" }))
        #expect(refused.map(\.place) == [2] && refused[0].name.kind == .campaign)
        #expect(refused[0].name.detail(quota: 7).hasPrefix("campaign_id is not declared, and the limit of 7 "))
    }

    @Test func `names are distinguished by bytes, app, kind, parent and verification`() {
        func name(
            _ name: String = "n", app: Int32 = 1, _ kind: NameKind = .variant, below: String = "p",
            _ verified: Bool = true
        ) -> ReferencedName { ReferencedName(appID: app, kind: kind, parent: below, name: name, verified: verified) }
        let names: Set = [
            name(), name(app: 2), name("n", .categoryVersion), name(below: "q"),
            name("n", app: 1, .variant, below: "p", false),
            name("\u{E9}"), name("e\u{301}"), name("", below: "pn"), name("pn", below: ""),
        ]
        #expect(names.count == 9)
        #expect(names.contains(name()))
    }

    @Test func `declarations over a limit are refused with a code`() throws {
        var limits = NameLimits()
        limits.actions = 2
        limits.variants = 1
        limits.versions = 3
        func refuses(_ body: () throws -> Void) -> Bool {
            do {
                try body()
                return false
            } catch {
                return (error as? DeclarationError)?.reason == .entry(.limitExceeded)
            }
        }
        let set = try CategorySet(
            json: Data(
                #"""
                {"categories": [{"identifier": "a", "actions": [{"identifier": "x"}, {"identifier": "y"}]},
                                {"identifier": "b", "actions": [{"identifier": "x"}]}]}
                """#.utf8))
        #expect(!refuses { try limits.check(set) })
        limits.actions = 1
        #expect(refuses { try limits.check(set) })
        var campaign = CampaignDeclaration(identifier: "c", name: "c")
        campaign.variants = [.init(identifier: "a")]
        #expect(!refuses { try limits.check(campaign) })
        campaign.variants.append(.init(identifier: "b"))
        #expect(refuses { try limits.check(campaign) })
        #expect(!refuses { try limits.check(version: 3) } && refuses { try limits.check(version: 4) })
        #expect(refuses { try limits.check(campaigns: 5_001) } && refuses { try limits.check(categories: 1_001) })
    }

    @Test(arguments: [
        ("2.9", "2.10", true), ("2", "2.0.1", true), ("2.0", "2", false), ("2", "2.0", false), ("10", "9", false),
        ("2.1-beta", "2.1", false), ("2.1", "2.1-beta", false), ("0", "0.0.1", true), ("1.2.3", "1.2.3.4", true),
    ])
    func `app versions are compared number by number`(one: String, other: String, isOlder: Bool) throws {
        #expect(try (#require(AppVersion(one)) < #require(AppVersion(other))) == isOlder)
    }

    @Test func `an invalid app version is refused`() {
        for text in ["", "v1", ".1", "beta", "-1", "1\0", "99999999999", String(repeating: "1.", count: 40)] {
            #expect(AppVersion(text) == nil, "\(text)")
        }
        #expect(AppVersion("1.") == AppVersion("1") && AppVersion("1.2.3 (45)") == AppVersion("1.2.3"))
    }

    @Test func `the actions that an older app can handle form a separate category version`() throws {
        let set = try CategorySet(
            json: Data(
                #"""
                {"categories": [{"identifier": "c", "min_app_version": "1.0", "actions": [
                  {"identifier": "a"}, {"identifier": "b", "min_app_version": "2.1"},
                  {"identifier": "c", "min_app_version": "2.1.0"}, {"identifier": "d", "min_app_version": "3"},
                  {"identifier": "e", "min_app_version": "0.5"}]}]}
                """#.utf8))
        let category = set.categories[0]
        #expect(category.tiers.map { $0.actions.map(\.identifier).joined() } == ["ae", "abce", "abcde"])
        for (app, actions, version) in [
            ("0.9", nil, nil), ("1.0", "ae", 7), ("2.0.9", "ae", 7), ("2.1", "abce", 8), ("2.10", "abce", 8),
            ("3.0", "abcde", 9),
        ] as [(String, String?, Int32?)] {
            let handled = category.handled(by: try #require(AppVersion(app)), newest: 9)
            #expect(handled?.declaration.actions.map(\.identifier).joined() == actions, "\(app)")
            #expect(handled?.version == version, "\(app)")
        }
        let plain = CategoryDeclaration(identifier: "p", options: [], actions: [], textRetention: nil)
        #expect(plain.tiers == [plain])
        #expect(plain.handled(by: try #require(AppVersion("0.1")), newest: 4)?.version == 4)
    }

    @Test func `the first app version is read in both formats of a set and must be valid`() throws {
        let own = try CategorySet(
            json: Data(
                #"""
                {"categories": [{"identifier": "c", "min_app_version": "2.0",
                  "actions": [{"identifier": "a", "min_app_version": "2.1"}]}]}
                """#.utf8))
        let config = try CategorySet(
            json: Data(
                #"""
                {"NotificationConfig": {
                  "UNNotificationCategory": {"c": {"identifier": "c", "actions": ["a"], "minAppVersion": "2.0"}},
                  "UNNotificationAction": {"a": {"identifier": "a", "minAppVersion": "2.1"}}}}
                """#.utf8))
        #expect(own.categories == config.categories)
        #expect(throws: CategorySetError.self) {
            try CategorySet(json: Data(#"{"categories": [{"identifier": "c", "min_app_version": "new"}]}"#.utf8))
        }
    }
}
