import Foundation

/// Checks a file's head against its statements: every name is declared, and no parameter is inserted unquoted.
struct ReportFileCheck {
    let file: String
    let head: ReportHead
    let script: ReportScript

    /// The name of the app's variable, whose value comes from the key or the command line, never from the request.
    static var reservedName: String { "app" }

    /// The names of HTTP parameters that select the output format of every report.
    private static let formatNames: Set = ["format", "raw"]

    func run() throws(ReportError) {
        if let taken = head.parameters.first(where: { Self.formatNames.contains($0.name) }) {
            throw failure(taken.line, "requests name the format by \(taken.name); the parameter needs another name")
        }
        let declared = Set(head.parameters.map(\.name) + [Self.reservedName])
        var given: Set<String> = []
        for entry in script.defaults {
            guard declared.contains(entry.name) else {
                throw failure(entry.line, "\(entry.name) has a default and no '-- parameter:'")
            }
            guard given.insert(entry.name).inserted else { throw failure(entry.line, "\(entry.name) has two defaults") }
        }
        var hasPrelude = false
        for statement in script.preludes + [script.body] {
            try check(statement, hasPrelude: hasPrelude)
            hasPrelude = true
        }
    }

    /// Returns the parameters with their defaults, without `app`.
    func parameters() throws(ReportError) -> [ReportParameter] {
        var parameters: [ReportParameter] = []
        for declared in head.parameters where declared.name != Self.reservedName {
            guard let entry = script.defaults.first(where: { $0.name == declared.name }) else {
                throw failure(declared.line, "\(declared.name) has no default: '\\if :{?\(declared.name)} ...'")
            }
            let parameter = ReportParameter(
                name: declared.name, kind: declared.kind, defaultValue: entry.value, description: declared.description)
            if case .failure(let problem) = parameter.validated(entry.value, zone: .gmt) {
                throw failure(entry.line, "the default of \(declared.name) \(problem.detail)")
            }
            parameters.append(parameter)
        }
        return parameters
    }

    private func check(_ statement: SQLTemplate, hasPrelude: Bool) throws(ReportError) {
        guard ["select", "with", "values", "table"].contains(statement.verb) else {
            throw failure(statement.line, "a report must only read: select, with, values or table")
        }
        for variable in statement.variables {
            let isOutside = script.defaults.contains { $0.name == variable.name }
            if variable.style != .value, isOutside {
                throw failure(variable.line, ":\(variable.name) would splice a parameter; write :'\(variable.name)'")
            }
            if !isOutside, !hasPrelude {
                let remedy = "declare it, or leave a space after a colon of your own"
                throw failure(variable.line, "\(variable.name) is not a parameter, and no prelude sets it; \(remedy)")
            }
        }
    }

    private func failure(_ line: Int, _ detail: String) -> ReportError {
        .file(name: file, line: line, detail: detail)
    }
}
