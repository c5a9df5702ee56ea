import Events

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
        entries = try DeclarationError.decode(Self.self, from: body).entries
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
