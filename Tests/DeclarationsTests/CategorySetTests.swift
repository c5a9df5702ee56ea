import Events
import Foundation
import Testing

@testable import Declarations

@Suite struct CategorySetTests {
    private func problems(_ json: String) -> [String] { failure(json)?.problems ?? [] }

    /// Returns why a document is refused.
    private func failure(_ json: String, _ limits: NameLimits? = nil) -> CategorySetError? {
        do throws(CategorySetError) {
            _ = try CategorySet(json: Data(json.utf8), limits: limits)
            return nil
        } catch {
            return error
        }
    }

    /// Returns why a set is refused by the default limits of names.
    private func refusal(_ categories: [[String: any Sendable]]) throws -> DeclarationError? {
        let set = try CategorySet(json: JSONSerialization.data(withJSONObject: ["categories": categories]))
        do throws(DeclarationError) {
            try NameLimits().check(set)
            return nil
        } catch {
            return error
        }
    }

    private func actions(_ count: Int, _ more: (Int) -> [String: String] = { _ in [:] }) -> [[String: String]] {
        (0..<count).map { ["identifier": "action \($0)"].merging(more($0)) { $1 } }
    }

    @Test func `a short document whose versions would be millions of rows is refused`() throws {
        let own = actions(900) { ["min_app_version": "1.\($0)"] }
        let refusal = try refusal([["identifier": "c", "actions": own]])
        #expect(refusal?.reason == .entry(.limitExceeded), "\(String(describing: refusal))")
        // The same actions with a few app versions, and a version for each of a hundred actions.
        let few = actions(2_000) { ["min_app_version": "1.\($0 % 10)"] }
        #expect(try self.refusal([["identifier": "c", "actions": few]]) == nil)
        #expect(try self.refusal([["identifier": "c", "actions": Array(own[..<100])]]) == nil)
    }

    @Test func `as many categories and actions as the limits allow are declared, with long texts`() throws {
        let buttons = actions(4) { _ in ["title": String(repeating: "x", count: 250)] }
        let many = (0..<1_000).map { ["identifier": "category \($0)", "actions": buttons] as [String: any Sendable] }
        #expect(try refusal(many) == nil)
        #expect(try refusal([["identifier": "c", "actions": actions(2_000)]]) == nil)
    }

    @Test func `the size of a category counts all of its tiers`() throws {
        let mixed = actions(12) { $0 % 3 == 0 ? [:] : ["min_app_version": ["1.0", "2", "2.0", "3.1"][$0 % 4]] }
        for first in [nil, "1", "2.5", "9"] {
            var category: [String: any Sendable] = ["identifier": "c", "actions": mixed, "intent_identifiers": ["i"]]
            category["min_app_version"] = first
            let set = try CategorySet(json: JSONSerialization.data(withJSONObject: ["categories": [category]]))
            let declared = try #require(set.categories.first)
            let rows = declared.tiers.flatMap { [64 + 2] + $0.actions.map { 64 + 2 * $0.identifier.utf8.count } }
            #expect(declared.bytesOfTiers == rows.reduce(0, +))
            // What an app version registers is the tier that it handles.
            for text in ["1.0", "2", "2.7", "3.1", "10"] {
                guard let app = AppVersion(text), let handled = declared.handled(by: app, newest: 7) else { continue }
                let tier = declared.tiers.count - 1 - Int(7 - handled.version)
                #expect(declared.tiers[tier].offersSame(as: handled.declaration), "\(text)")
            }
        }
    }

    @Test func `both formats describe the same set`() throws {
        let own = try CategorySet(
            json: Data(
                #"""
                {"categories": [{"identifier": "sale", "options": ["customDismissAction", "allowInCarPlay"], "actions": [
                  {"identifier": "book", "title": "Book", "options": ["foreground"]},
                  {"identifier": "say", "title": "Say", "text_input": {"button_title": "Send", "placeholder": "?"}}]}]}
                """#.utf8))
        let config = try CategorySet(
            json: Data(
                #"""
                {"NotificationConfig": {
                  "UNNotificationCategory": {"sale": {"identifier": "sale", "actions": ["book", "say"], "options": 3}},
                  "UNNotificationAction": {
                    "book": {"identifier": "book", "title": "Book", "options": 4},
                    "say": {"identifier": "say", "title": "Say", "options": 0,
                            "textInput": {"buttonTitle": "Send", "placeholder": "?"}}}}}
                """#.utf8))
        #expect(own.categories == config.categories)
        #expect(own.categories[0].options == ["allowInCarPlay", "customDismissAction"])
        #expect(own.categories[0].actions.map(\.identifier) == ["book", "say"])
    }

    @Test func `all errors are reported together`() {
        let found = problems(
            #"""
            {"effective_from": "soon", "categories": [
              {"identifier": "a", "options": ["nope"], "actions": [
                {"identifier": "x", "options": ["loud"]}, {"identifier": "x"}, {"title": "no name"}]},
              {"identifier": "a", "text_retention": "long"}]}
            """#)
        #expect(found.count == 7, "\(found)")
        for word in ["soon", "nope", "loud", "'x' appears twice", "identifier", "'a' appears twice", "text_retention"]
        where word != "soon" {
            #expect(found.contains { $0.contains(word) }, "\(word): \(found)")
        }
        #expect(found.contains("effective_from is not an RFC 3339 time"))
    }

    @Test func `a hundred errors are reported, and how many more there are`() throws {
        let zeros = Array(repeating: "0", count: 5_000).joined(separator: ",")
        let error = try #require(failure(#"{"categories": [\#(zeros)]}"#))
        #expect(error.problems == (0..<100).map { "categories[\($0)] is not an object" })
        #expect(error.others == 4_900)
        #expect(error.description.hasSuffix("\ncategories[99] is not an object\nand 4900 more"))
    }

    @Test func `an error quotes only the beginning of a long name, and many of them are few kilobytes`() throws {
        let long = String(repeating: "é", count: 1_000)
        let option = problems(#"{"categories": [{"identifier": "a", "options": ["\#(long)"]}]}"#)
        #expect(option == ["category 'a' has the unknown option '\(String(repeating: "é", count: 126))…'"])
        let action = problems(
            #"{"NotificationConfig": {"UNNotificationCategory": {"\#(long)": {"identifier": "b", "actions": [1]}}}}"#)
        #expect(action.count == 2 && action.allSatisfy { $0.utf8.count < 1_000 }, "\(action)")
        let name = String(repeating: "x", count: 200)
        let options = Array(repeating: "\"\(long)\"", count: 1_000).joined(separator: ",")
        let error = try #require(failure(#"{"categories": [{"identifier": "\#(name)", "options": [\#(options)]}]}"#))
        #expect(error.description.utf8.count < 34_000)
        #expect(error.problems.count + error.others == 1_000)
    }

    @Test func `a list with more entries than a limit is refused before they are read`() throws {
        var limits = NameLimits()
        limits.categories = 2
        limits.actions = 3
        let categories = try #require(failure(#"{"categories": [0, 0, 0]}"#, limits))
        #expect(categories.exceedsLimit && categories.problems.count == 1)
        #expect(categories.description.hasPrefix("an app has at most 2 categories"))
        let actions = try #require(
            failure(#"{"categories": [{"identifier": "a", "actions": [0, 0, 0, 0]}, 0]}"#, limits))
        #expect(actions.exceedsLimit && actions.description.hasPrefix("an app has at most 3 actions"))
        let config = try #require(
            failure(#"{"NotificationConfig": {"UNNotificationCategory": {"a": 0, "b": 0, "c": 0}}}"#, limits))
        #expect(config.exceedsLimit && config.description.hasPrefix("an app has at most 2 categories"))
        // Other lists are bounded, too, but not by the number of names.
        let many = Array(repeating: "0", count: 10_001).joined(separator: ",")
        let more = try #require(failure(#"{"categories": [], "more": [\#(many)]}"#, limits))
        #expect(more.exceedsLimit && more.description.contains("more than 10000 entries"))
        #expect(failure(#"{"categories": [{"identifier": "a", "actions": []}], "more": [1, 2, 3, 4]}"#, limits) == nil)
    }

    @Test func `the identifier of actions past the limit of names can't be declared`() {
        let found = problems(#"{"categories": [{"identifier": "a", "actions": [{"identifier": "(other)"}]}]}"#)
        #expect(found == ["the action '(other)' is reserved for actions past the limit of names"])
    }

    @Test func `an undefined action, unknown option bits and a mismatched identifier are reported`() {
        let found = problems(
            #"""
            {"NotificationConfig": {
              "UNNotificationCategory": {"c": {"identifier": "d", "actions": ["ghost"], "options": 32}},
              "UNNotificationAction": {"y": {"identifier": "y", "title": "Y", "options": 8}}}}
            """#)
        #expect(found.count == 4, "\(found)")
        #expect(found.contains { $0.contains("ghost") })
    }

    @Test(arguments: ["", "[]", "{}", #"{"categories": {}}"#, #"{"categories": [1]}"#, #"{"NotificationConfig": []}"#])
    func `a document that is not a category set is refused`(json: String) {
        #expect(!problems(json).isEmpty)
    }

    @Test func `an empty set is valid`() throws {
        #expect(try CategorySet(json: Data(#"{"categories": []}"#.utf8)).categories.isEmpty)
    }

    @Test func `text retention is in days, in hours or none`() throws {
        let set = try CategorySet(
            json: Data(
                #"""
                {"categories": [{"identifier": "a", "text_retention": "90d"}, {"identifier": "b", "text_retention": "12h"},
                  {"identifier": "c", "text_retention": "none"}, {"identifier": "d"}]}
                """#.utf8))
        #expect(set.categories.map(\.textRetention) == [7_776_000, 43_200, 0, nil])
    }
}
