/// The format of log lines.
package enum LogFormat: String, Sendable, CaseIterable {
    /// A short and aligned line, for people.
    case text
    /// A JSON object per line, for programs.
    case json

    /// Returns the line with its line end. No content can begin another line or control a terminal.
    package func text(_ line: LogLine, colored: Bool = false) -> String {
        switch self {
        case .text: TextLines.text(line, colored: colored)
        case .json: JSONLines.text(line)
        }
    }
}
