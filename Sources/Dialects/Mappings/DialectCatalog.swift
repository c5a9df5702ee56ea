import JSON

/// The dialects and what their names map to, as `afterpush dialects` and `GET /v1/dialects` show them.
package enum DialectCatalog {
    /// A dialect with the places at which it is spoken.
    package struct Item: Sendable {
        package let family: DialectFamily
        package let routes: [DialectRoute]
    }

    /// The families that are spoken over HTTP, in the order of the table.
    package static let items: [Item] = {
        var items: [Item] = []
        for dialect in DialectTable.all {
            let routes = dialect.routes.filter { $0.purpose == .events }
            if let index = items.firstIndex(where: { $0.family == dialect.family }) {
                items[index] = Item(family: dialect.family, routes: items[index].routes + routes)
            } else {
                items.append(Item(family: dialect.family, routes: routes))
            }
        }
        return items
    }()

    /// All of it as JSON.
    package static let json: String = JSONText.object([
        (
            "dialects",
            JSONText.array(
                items.map { item in
                    JSONText.object([
                        ("family", JSONText.string(item.family.rawValue)),
                        ("title", JSONText.string(item.family.title)),
                        ("routes", JSONText.array(item.routes.map { JSONText.string("\($0.method) \($0.path)") })),
                    ])
                })
        ),
        (
            "names",
            JSONText.array(
                EventNames.entries.map { entry in
                    JSONText.object([
                        ("name", JSONText.string(entry.name)), ("kind", JSONText.string(entry.meaning.text)),
                        ("senders", JSONText.string(entry.senders)),
                    ])
                })
        ),
    ])
}

extension EventNames.Meaning {
    /// What a name becomes, for people.
    package var text: String {
        switch self {
        case .kind(let kind): kind
        case .tap: "opened, or action, text_input or dismissed by its action"
        case .uninstalled: "token_failed"
        case .metric: "delivered, opened or converted by its metric"
        }
    }
}
