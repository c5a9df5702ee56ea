/// A statement of the extended protocol, with its values.
struct Statement {
    let sql: String
    let parameters: [Parameter]
    let format: ResultFormat
    /// Whether it is worth preparing: it will come again.
    let prepared: Bool

    var label: String { SQLText.label(self.sql) }
    var key: StatementCache.Key { StatementCache.Key(sql: self.sql, types: self.parameters.map(\.oid)) }
}
