import Events
import Foundation

/// An entry of a list that a server posts, as JSON has it and not yet believed.
package protocol DeclarationEntry: Decodable {
    /// What the list is called.
    static var listName: String { get }
    /// The most entries that a request may hold.
    static var limit: Int { get }
}

/// A body `{"NAME": [entry...]}`.
package struct DeclarationList<Entry: DeclarationEntry> {
    package let entries: [Entry]

    package init(_ body: [UInt8]) throws(DeclarationError) {
        do {
            entries = try JSONDecoder().decode(Self.self, from: Data(body)).entries
        } catch let error as DeclarationError {
            throw error
        } catch let error as DecodingError {
            throw DeclarationError(error)
        } catch {
            throw DeclarationError(.malformed, "the body is not valid JSON")
        }
    }
}

extension DeclarationList: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package init(from decoder: any Decoder) throws {
        var list = try decoder.container(keyedBy: Name.self)
            .nestedUnkeyedContainer(forKey: Name(stringValue: Entry.listName))
        guard list.count ?? 0 <= Entry.limit else {
            throw DeclarationError(.tooMany, "a request holds at most \(Entry.limit) \(Entry.listName)")
        }
        var entries: [Entry] = []
        while !list.isAtEnd { entries.append(try list.decode(Entry.self)) }
        self.entries = entries
    }
}

extension DeclarationError {
    /// What a decoder found, without what it found there.
    package init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(.entry(.fieldMissing), "\(Self.place(context.codingPath + [key])) is missing")
        case .valueNotFound(_, let context):
            self.init(.entry(.fieldMissing), "\(Self.place(context.codingPath)) is missing")
        case .typeMismatch(let type, let context):
            self.init(.entry(.invalidJSONType), "\(Self.place(context.codingPath)) is not \(Self.name(of: type))")
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init(.entry(.fieldInvalid), "\(Self.place(context.codingPath)) is not valid")
        default:
            // Also what can't be placed, such as a number that no double holds.
            self.init(.malformed, "the body is not valid JSON")
        }
    }

    /// A path as `receipts[3].expires_in`.
    private static func place(_ path: [any CodingKey]) -> String {
        let place = path.reduce(into: "") { place, key in
            if let index = key.intValue { place += "[\(index)]" } else { place += ".\(key.stringValue)" }
        }
        return place.isEmpty ? "the body" : String(place.drop { $0 == "." })
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Double.Type: "a number"
        case is [Any].Type: "an array"
        default: "an object"
        }
    }
}
