import Synchronization

/// The columns of statements that were asked for once: the server reads a statement through to tell them.
package final class ColumnMemory: Sendable {
    /// More would be a report that is made of what it is asked for.
    private static let most = 1_000

    private let known = Mutex<[String: [String]]>([:])

    package init() {}

    /// Only of reports that come with the program: what columns theirs have depends on their text and on nothing else,
    /// while a team's own may select whatever columns a table has by now.
    func names(
        of statement: BoundStatement, in definition: ReportDefinition, ask: () throws -> [String]
    ) throws -> [String] {
        guard definition.isBuiltIn else { return try ask() }
        if let names = known.withLock({ $0[statement.shape] }) { return names }
        let names = try ask()
        known.withLock { known in
            if known.count >= Self.most { known.removeAll() }
            known[statement.shape] = names
        }
        return names
    }
}
