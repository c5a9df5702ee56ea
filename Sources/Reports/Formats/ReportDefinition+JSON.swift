import JSON

extension ReportDefinition {
    /// What a list of reports says of this one, as a JSON object.
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
