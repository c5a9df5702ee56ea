/// The part of a report file after its head: defaults, preludes and one statement.
struct ReportScript {
    struct Default {
        let name: String
        let value: String
        let line: Int
    }

    private(set) var defaults: [Default] = []
    private(set) var preludes: [SQLTemplate] = []
    /// The report's own statement.
    var body: SQLTemplate { finished ?? SQLTemplate(line: 0) }

    // A pattern is compiled at its first use, which is once per file.
    private let ifElse = /if +:\{\?([a-z_][a-z0-9_]*)\} +\\else +\\set +([a-z_][a-z0-9_]*) +(.+?) +\\endif\s*/
    private let word = /[A-Za-z0-9_.,\/+\-]+/
    private let literal = /'((?:[^'\\]|'')*)'/
    private let file: String
    private var open: SQLTemplate?
    private var finished: SQLTemplate?

    init(file: String, source: String) throws(ReportError) {
        self.file = file
        var scanner = SQLScanner(file: file, text: source)
        while let token = try scanner.next() { try take(token) }
        finished = finished ?? open
        if finished == nil { throw .file(name: file, line: 0, detail: "there is no statement") }
    }

    private mutating func take(_ token: SQLToken) throws(ReportError) {
        switch token.kind {
        case .blank: open?.append(token.text)
        case .semicolon:
            finished = open ?? finished
            open = nil
        case .command(let command): try take(command: command, line: token.line)
        case .positional: throw failure(token.line, "\(token.text) has no value in psql; write :'name'")
        case .sql: try extend(at: token.line) { $0.append(token.text) }
        case .variable(let style, let name):
            let variable = SQLTemplate.Variable(style: style, name: name, line: token.line)
            try extend(at: token.line) { $0.append(variable) }
        }
    }

    private mutating func extend(at line: Int, with add: (inout SQLTemplate) -> Void) throws(ReportError) {
        guard finished == nil else { throw failure(line, "a report must be one statement; this begins another") }
        var statement = open ?? SQLTemplate(line: line)
        add(&statement)
        open = statement
    }

    private mutating func take(command: String, line: Int) throws(ReportError) {
        let words = command.split(whereSeparator: \.isWhitespace)
        if let prelude = open {
            guard words == ["gset"] else {
                throw failure(line, "a statement must end in ; or, if it is a prelude, in \\gset")
            }
            preludes.append(prelude)
            open = nil
        } else {
            guard preludes.isEmpty, finished == nil else {
                throw failure(line, "defaults must come before the statements")
            }
            guard let (name, value) = readDefault(command) else {
                throw failure(line, "expected '\\if :{?name} \\else \\set name value \\endif', value a word or '...'")
            }
            defaults.append(Default(name: name, value: value, line: line))
        }
    }

    /// Reads a default whose value psql takes literally: a plain word, or a quoted literal without a backslash.
    private func readDefault(_ command: String) -> (name: String, value: String)? {
        guard let match = command.wholeMatch(of: ifElse), match.1 == match.2 else { return nil }
        let name = String(match.1)
        if match.3.wholeMatch(of: word) != nil { return (name, String(match.3)) }
        guard let quoted = match.3.wholeMatch(of: literal) else { return nil }
        return (name, String(quoted.1).replacing("''", with: "'"))
    }

    private func failure(_ line: Int, _ detail: String) -> ReportError {
        .file(name: file, line: line, detail: detail)
    }
}
