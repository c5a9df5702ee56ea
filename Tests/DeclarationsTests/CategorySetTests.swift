import Foundation
import Testing

@testable import Declarations

@Suite struct CategorySetTests {
    private func problems(_ json: String) -> [String] {
        do throws(CategorySetError) {
            _ = try CategorySet(json: Data(json.utf8))
            return []
        } catch {
            return error.problems
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
