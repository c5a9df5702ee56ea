import JSON

/// The paths at which the rules of a name find values, as a tree of their parts.
///
/// An event is walked once for all of them. So it takes time with the length of the event, whatever the paths are, and
/// however many begin alike.
struct MemberPaths: Sendable {
    private struct Node {
        /// The number of the path that ends here.
        var path: Int?
        /// Whether a path goes on from here.
        var isInner = false
    }

    private struct Step: Hashable {
        let node: Int
        /// Its bytes: hashing a `String` takes the square of the length of a run of combining marks.
        let part: [UInt8]
    }

    private var nodes = [Node()]
    private var steps: [Step: Int] = [:]
    /// The number of different paths.
    private var count = 0
    /// The bytes of the longest path.
    private var longest = 0

    /// Adds a path of members joined by dots, and returns its number, which is the same for equal paths.
    mutating func add(_ path: String) -> Int {
        var node = 0
        longest = max(longest, path.utf8.count)
        for part in Self.parts(of: path) {
            let step = Step(node: node, part: part)
            nodes[node].isInner = true
            node = steps[step] ?? nodes.count
            guard node == nodes.count else { continue }
            steps[step] = node
            nodes.append(Node())
        }
        if let number = nodes[node].path { return number }
        nodes[node].path = count
        count += 1
        return count - 1
    }

    /// Returns the value at each path of an event, by the path's number.
    ///
    /// A member whose name holds dots is found by its whole name, and goes before a member of a member.
    func values(of event: JSONObject) -> [JSONElement?] {
        var values = [JSONElement?](repeating: nil, count: count)
        if count > 0 { find(in: event, from: 0, &values) }
        return values
    }

    private func find(in object: JSONObject, from start: Int, _ values: inout [JSONElement?]) {
        var members: [Int: (value: JSONElement, isPart: Bool)] = [:]
        for (name, value) in object.all where name.utf8.count <= longest {
            let parts = Self.parts(of: name)
            // Of several members with one name, the last counts.
            if let node = node(at: parts, from: start) { members[node] = (value, parts.count == 1) }
        }
        for (node, member) in members where member.value.type != .null && member.value.type != .other {
            if let path = nodes[node].path, values[path] == nil { values[path] = member.value }
        }
        for (node, member) in members where member.isPart && nodes[node].isInner {
            if let inner = member.value.object { find(in: inner, from: node, &values) }
        }
    }

    private func node(at parts: [[UInt8]], from start: Int) -> Int? {
        var node = start
        for part in parts {
            guard nodes[node].isInner, let next = steps[Step(node: node, part: part)] else { return nil }
            node = next
        }
        return node
    }

    private static func parts(of path: String) -> [[UInt8]] {
        path.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
    }
}
