/// How log lines are written.
package enum LogFormat: String, Sendable, CaseIterable {
    /// For people: short and aligned.
    case text
    /// A JSON object a line, for programs.
    case json

    /// One line, its end included. Whatever the line says, it stays one, and moves no terminal.
    package func text(_ line: LogLine, colored: Bool = false) -> String {
        switch self {
        case .text: TextLines.text(line, colored: colored)
        case .json: JSONLines.text(line)
        }
    }
}
