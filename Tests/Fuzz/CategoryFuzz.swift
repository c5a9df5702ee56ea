import Declarations
import Foundation
import SeededRandom

/// Feeds category documents to the parser: each is parsed, or refused with reasons, the same way every time.
struct CategoryFuzz {
    private var grammar: Grammar

    init(seed: UInt64) {
        grammar = Grammar(random: SeededGenerator(seed: seed))
    }

    private static let names = [
        "categories", "identifier", "options", "actions", "title", "text_input", "button_title", "placeholder", "goal",
        "text_retention", "effective_from", "NotificationConfig", "UNNotificationCategory", "UNNotificationAction",
    ]

    func run(_ clock: FuzzClock) {
        var grammar = grammar
        var last: [UInt8] = []
        while clock.goesOn() {
            var document = Self.document(&grammar)
            if grammar.chance(0.5) { document = grammar.mutated(document, with: last) }
            if document.count < 1 << 16 { last = document }
            clock.count(document.count)
            let start = FuzzClock.work
            let first = Self.read(document)
            let work = FuzzClock.work - start
            clock.require(work < 2, "\(work) s of work for \(document.count) bytes", document)
            clock.require(first == Self.read(document), "another answer the second time", document)
            switch first {
            case .success: clock.note("read")
            case .failure: clock.note("refused")
            }
        }
    }

    private struct Refused: Error, Equatable {
        let text: String
    }

    private static func read(_ document: [UInt8]) -> Result<CategorySet, Refused> {
        do throws(CategorySetError) {
            return .success(try CategorySet(json: Data(document)))
        } catch {
            return .failure(Refused(text: "\(error)"))
        }
    }

    private static func document(_ grammar: inout Grammar) -> [UInt8] {
        if grammar.chance(0.3) { return Array("{\(member(&grammar, 0)),\(member(&grammar, 0))}".utf8) }
        let categories = (0..<grammar.below(4)).map { _ in category(&grammar) }
        return Array(#"{"categories":[\#(categories.joined(separator: ","))],\#(member(&grammar, 0))}"#.utf8)
    }

    private static func category(_ grammar: inout Grammar) -> String {
        let actions = (0..<grammar.below(4)).map { _ in
            #"{"identifier":\#(grammar.chance(0.8) ? "\"a\(grammar.below(3))\"" : grammar.value()),\#(member(&grammar, 1))}"#
        }
        let identifier = grammar.chance(0.8) ? "\"c\(grammar.below(3))\"" : grammar.value()
        return #"{"identifier":\#(identifier),"actions":[\#(actions.joined(separator: ","))],\#(member(&grammar, 1))}"#
    }

    private static func member(_ grammar: inout Grammar, _ depth: Int) -> String {
        let name = grammar.one(of: names)
        let value: String
        switch grammar.below(4) {
        case 0: value = "[\(grammar.value()),\(grammar.value())]"
        case 1 where depth < 4: value = "{\(member(&grammar, depth + 1)),\(member(&grammar, depth + 1))}"
        case 2:
            value = grammar.one(of: ["\"90d\"", "\"none\"", "true", "7", "\"customDismissAction\"", "[\"foreground\"]"])
        default: value = grammar.value()
        }
        return "\"\(name)\":\(value)"
    }
}
