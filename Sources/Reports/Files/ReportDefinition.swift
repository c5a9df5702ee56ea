/// A report: what its file says of itself, and the statements that make it.
///
/// The file is one that psql runs unchanged. Its first comment is the head; a key starts one space after `--`, and what
/// continues it on the next line is indented deeper or starts with no key:
/// ```
/// -- title: Conversion per group
/// -- description: Rates per group of deliveries,
/// --   with their intervals.
/// -- parameter: from time  first anchor hour; empty for no limit
/// -- parameter: base text auto|sent|confirmed  base of the rates
/// -- parameter: by list campaign|category|day  at most two
/// -- parameter: min_n integer 1..  denominators under this give no rate
/// -- column: open_rate number ratio  opened within the base, over base_n
/// -- rows: 10000  returned at most; for rows that are long
/// ```
/// Two spaces or more end what is declared and begin its description. Types of parameters: `text`, `list`, `time`,
/// `zone`, `boolean`, `integer`, `duration`; of columns: `text`, `integer`, `number`, `boolean`, `time`, `date`, each
/// with a unit if it has one. After the head come the defaults, one line each,
/// `\if :{?from} \else \set from '' \endif`, `app` among them; then preludes that end in `\gset`; then one statement.
///
/// Of psql's variables a statement may use `:'name'` for parameters, `app` and what a prelude returned, and `:name` and
/// `:"name"` for the latter only. What a prelude returned is put in as it is; psql would look for variables in it again,
/// so it should hold none.
package struct ReportDefinition: Sendable, Equatable {
    package let name: String
    package let title: String
    package let description: String
    package let parameters: [ReportParameter]
    package let columns: [ReportColumn]
    /// Rows that it returns at most, where that is fewer than any report may.
    package let rowLimit: Int?
    package let preludes: [SQLTemplate]
    package let body: SQLTemplate
    /// The file as it was read.
    package let source: String
    /// It comes with the program.
    package let isBuiltIn: Bool

    /// Reads the text of `<name>.sql`; an error names the file and the line.
    package init(name: String, source: String, isBuiltIn: Bool = false) throws(ReportError) {
        guard name.wholeMatch(of: /[a-z][a-z0-9_\-]*/) != nil else {
            throw .file(name: name, line: 0, detail: "a report's name is made of a-z, 0-9, - and _")
        }
        let head = try ReportHead(file: name, source: source)
        let script = try ReportScript(file: name, source: source)
        let check = ReportFileCheck(file: name, head: head, script: script)
        try check.run()
        self.name = name
        self.source = source
        self.isBuiltIn = isBuiltIn
        title = head.title
        description = head.description
        parameters = try check.parameters()
        columns = head.columns.map(\.column)
        rowLimit = head.rowLimit
        preludes = script.preludes
        body = script.body
    }
}
