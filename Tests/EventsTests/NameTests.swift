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
        #expect(unknown.map(\.name) == ["a", "1", "b"] && known.countUnknown(in: events) == 3)
        known.learn(unknown.filter { $0.name != "b" })
        #expect(known.unknown(in: events).map(\.name) == ["b"] && known.countUnknown(in: events) == 1)
        #expect(known.unknown(in: Array(events[..<2])).isEmpty && known.count == 2)
    }

    @Test func `known names are looked up again after their lifetime`() throws {
        var known = KnownNameCache()
        let events = try events([["campaign_id": "\"a\""]])
        let start = ContinuousClock.now
        known.learn(known.unknown(in: events, at: start))
        #expect(known.unknown(in: events, at: start).isEmpty)
        #expect(known.unknown(in: events, at: start + KnownNameCache.lifetime - .seconds(1)).isEmpty)
        #expect(known.unknown(in: events, at: start + KnownNameCache.lifetime).map(\.name) == ["a"])
        #expect(known.count == 0)
    }

    @Test func `the source of a name is the server's key or the receipt that states it, else the event's receipt`()
        throws
    {
        let fields = [
            "campaign_id": "\"c\"", "variant": "\"v\"", "category_id": "\"k\"", "category_version": "2",
            "app_version": "\"1.0\"", "kind": "\"action\"", "action_identifier": "\"book\"",
        ]
        func sources(_ event: Event) -> [NameSource] { event.statedNames.map(\.source) }
        #expect(
            try sources(Sample.accepted(fields, Sample.context(.ingest))) == Array(repeating: .unverified, count: 6))
        #expect(try sources(Sample.accepted(fields, Sample.context(.send))) == Array(repeating: .server, count: 6))
        func claimed(device: String?, scope: Scope = .ingest) throws -> Event {
            let verifier = StubVerifier {
                $0.deviceID = device
                $0.campaignID = "spring"
                $0.variant = "b"
            }
            return try Sample.accepted(
                fields.merging(["receipt": "\"good\""]) { $1 }, Sample.context(scope, verifier: verifier))
        }
        let claims: [NameSource] = [.server, .server]
        #expect(try sources(claimed(device: "device")) == claims + Array(repeating: .receipt, count: 4))
        #expect(try sources(claimed(device: nil)) == claims + Array(repeating: .unverified, count: 4))
        #expect(try sources(claimed(device: nil, scope: .send)) == Array(repeating: .server, count: 6))
    }

    @Test func `an event without a name past its limit keeps everything else`() throws {
        let event = try Sample.accepted([
            "campaign_id": "\"c\"", "variant": "\"v\"", "category_id": "\"k\"", "category_version": "2",
            "app_version": "\"1.0\"", "os_version": "\"17\"", "kind": "\"text_input\"",
            "action_identifier": "\"say\"", "user_text": "\"yes\"",
        ])
        func without(_ kinds: NameKind...) -> Event? {
            event.without(Set(event.statedNames.filter { kinds.contains($0.kind) }))
        }
        #expect(without() == nil)
        let noCampaign = try #require(without(.campaign))
        #expect(noCampaign.campaignID == nil && noCampaign.variant == nil && noCampaign.categoryID == "k")
        #expect(noCampaign.namesPastLimit.words == "campaign variant" && noCampaign.appVersion == "1.0")
        let noVariant = try #require(without(.variant))
        #expect(noVariant.campaignID == "c" && noVariant.variant == nil)
        let others = try #require(without(.category, .action, .appVersion))
        #expect(others.categoryID == nil && others.categoryVersion == nil && others.appVersion == nil)
        #expect(others.actionIdentifier == "(other)" && others.userText == "yes" && others.osVersion == "17")
        #expect(others.namesPastLimit.words == "category category_version action app_version")
        #expect(others.deliveryID == event.deliveryID && others.eventID == event.eventID)
        #expect(others.statedNames.map(\.kind) == [.campaign, .variant])
        #expect(NameKinds(words: "campaign nonsense app_version").kinds == [.campaign, .appVersion])
    }

    @Test func `names that a receipt or the server vouches for have ten times the limit`() {
        var limits = NameLimits()
        limits.appVersions = 7
        limits.actions = .max
        #expect(NameSource.allCases.map { limits.quota(of: .appVersion, from: $0) } == [7, 70, 70])
        #expect(limits.quota(of: .action, from: .server) == .max)
        let name = ReferencedName(appID: 1, kind: .variant, parent: "c", name: "n", source: .server)
        #expect(name.detail(quota: 7).hasPrefix("variant is not declared, and the limit of 7 undeclared names of its "))
    }

    @Test func `names are distinguished by bytes, app, kind, parent and source`() {
        func name(
            _ name: String = "n", app: Int32 = 1, _ kind: NameKind = .variant, below: String = "p",
            _ source: NameSource = .server
        ) -> ReferencedName { ReferencedName(appID: app, kind: kind, parent: below, name: name, source: source) }
        let names: Set = [
            name(), name(app: 2), name("n", .categoryVersion), name(below: "q"),
            name("n", app: 1, .variant, below: "p", .unverified),
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
