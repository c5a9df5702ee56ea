import Events
import Foundation

/// An entry of a posted list, decoded from JSON but not yet validated.
package protocol DeclarationEntry: Decodable {
    /// The name of the list in the body.
    static var listName: String { get }
    /// The most entries of a request.
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
