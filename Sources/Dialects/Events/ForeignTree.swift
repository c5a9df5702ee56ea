package import JSON

/// A JSON object that is put together from parameters or attributes with dotted names.
package struct ForeignTree {
    private indirect enum Node {
        case json(String)
        case object([(name: String, node: Node)])

        var json: String {
            switch self {
            case .json(let json): json
            case .object(let members): JSONText.object(members.map { ($0.name, $0.node.json) })
            }
        }
    }

    private var root: [(name: String, node: Node)] = []

    package init() {}

    /// Sets a text at a path, such as `context.device.id`. A text in the place of an object is replaced.
    package mutating func set(_ text: String, at path: String) { set(json: JSONText.string(text), at: path) }

    /// Sets a JSON value at a path.
    package mutating func set(json: String, at path: String) {
        // Deeper names are no paths that any client writes.
        let names = path.split(separator: ".", maxSplits: 8).map(String.init)
        guard !names.isEmpty else { return }
        Self.set(.json(json), names[...], in: &root)
    }

    private static func set(
        _ node: Node, _ path: ArraySlice<String>, in members: inout [(name: String, node: Node)]
    ) {
        guard let name = path.first else { return }
        let index = members.firstIndex { $0.name == name }
        guard path.count > 1 else {
            if let index { members[index].node = node } else { members.append((name, node)) }
            return
        }
        var inner: [(name: String, node: Node)] = []
        if let index, case .object(let members) = members[index].node { inner = members }
        set(node, path.dropFirst(), in: &inner)
        if let index { members[index].node = .object(inner) } else { members.append((name, .object(inner))) }
    }

    /// The object as JSON.
    package var json: String { Node.object(root).json }

    package var element: JSONElement {
        get throws(DialectError) { try .body(Array(json.utf8)) }
    }
}
