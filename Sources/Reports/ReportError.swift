/// An error in a report: in its file, a parameter, its name or the result of its statement.
///
/// Descriptions are safe to log: they name parameters and columns but never repeat a value.
package enum ReportError: Error, Equatable, Sendable {
    /// An invalid report file. `line` counts from 1; 0 means the file as a whole.
    case file(name: String, line: Int, detail: String)
    /// A parameter that the report does not have, or an invalid value.
    case parameter(name: String, detail: String)
    /// A name that no report has, and the nearest that one has.
    case unknownReport(name: String, nearest: String? = nil)
    /// A result of the statement that does not match the head.
    case result(report: String, detail: String)
    /// A statement that exceeded its time limit.
    case tooSlow(report: String)
}

extension ReportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(let name, 0, let detail): "report \(name): \(detail)"
        case .file(let name, let line, let detail): "report \(name), line \(line): \(detail)"
        case .parameter(let name, let detail): "parameter \(String(reflecting: name)) \(detail)"
        case .unknownReport(let name, let nearest):
            "there is no report named \(String(reflecting: name))\(nearest.map { "; did you mean \($0)?" } ?? "")"
        case .result(let report, let detail): "report \(report): \(detail)"
        case .tooSlow(let report): "report \(report): exceeded its time limit"
        }
    }
}
