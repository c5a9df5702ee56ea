import JSON

/// A report: the declarations in the head of its file, and its statements.
///
/// psql can run the file unchanged. Its first comment is the head. A key starts one space after `--`, and a
/// continuation line is indented more or doesn't start with a key:
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
/// Two or more spaces separate a declaration from its description. The types of parameters are `text`, `list`, `time`,
/// `zone`, `boolean`, `integer`, `number` and `duration`; those of columns are `text`, `integer`, `number`, `boolean`,
/// `time` and `date`, followed by an optional unit. After the head come the defaults, including that of `app`, one per
/// line (`\if :{?from} \else \set from '' \endif`), then preludes that end in `\gset`, then one statement.
///
/// A statement can use psql's variables: `:'name'` for parameters, `app` and values that a prelude returned, and
/// `:name` and `:"name"` only for the latter. Values that a prelude returned are inserted unchanged; psql would look
/// for variables in them again, so they should contain none.
package struct ReportDefinition: Sendable, Equatable {
    package let name: String
    package let title: String
    package let description: String
    package let parameters: [ReportParameter]
    package let columns: [ReportColumn]
    /// The maximum number of rows, or `nil` when only the general limit applies.
    package let rowLimit: Int?
    package let preludes: [SQLTemplate]
    package let body: SQLTemplate
    /// The text of the file.
    package let source: String
    /// Whether the report comes with the program.
    package let isBuiltIn: Bool

    /// Reads the text of `<name>.sql`; an error names the file and the line.
    package init(name: String, source: String, isBuiltIn: Bool = false) throws(ReportError) {
        guard name.wholeMatch(of: /[a-z][a-z0-9_\-]*/) != nil else {
            throw .file(
                name: String(reflecting: name), line: 0, detail: "a report's name is made of a-z, 0-9, - and _")
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

extension ReportDefinition {
    /// The report's entry in the list of reports, as a JSON object.
    package var json: String {
        JSONText.object([
            ("name", JSONText.string(name)), ("title", JSONText.string(title)),
            ("description", JSONText.string(description)),
            ("parameters", JSONText.array(parameters.map(Self.json))),
            ("columns", JSONText.array(columns.map(JSONText.column))),
        ])
    }

    private static func json(_ parameter: ReportParameter) -> String {
        JSONText.object([
            ("name", JSONText.string(parameter.name)), ("type", JSONText.string(parameter.kind.name)),
            ("values", JSONText.array(parameter.kind.permitted.map(JSONText.string))),
            ("default", JSONText.string(parameter.defaultValue)),
            ("description", JSONText.string(parameter.description)),
        ])
    }
}
