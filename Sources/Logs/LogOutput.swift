import Foundation
import Glibc
import Logging
import Synchronization

/// The destination of the program's loggers. It writes complete lines in order.
package final class LogOutput: Sendable {
    private let format: LogFormat
    private let colored: Bool
    private let filter: Mutex<RepeatFilter>
    private let sink: @Sendable (String) -> Void

    /// Creates an output.
    ///
    /// - Parameter sink: Called with one line at a time, including its line end.
    package init(
        _ format: LogFormat, colored: Bool = false, filter: RepeatFilter = RepeatFilter(),
        sink: @escaping @Sendable (String) -> Void
    ) {
        self.format = format
        self.colored = colored
        self.filter = Mutex(filter)
        self.sink = sink
    }

    /// Returns an output to standard error.
    ///
    /// - Parameter format: The format. The default is text on a terminal and JSON otherwise.
    package static func standardError(_ format: LogFormat? = nil) -> LogOutput {
        let isTerminal = isatty(STDERR_FILENO) == 1
        return LogOutput(format ?? (isTerminal ? .text : .json), colored: isTerminal) { line in
            // One write per line, so that other writers of the same file don't split it.
            var line = line
            line.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    }

    func write(level: Logger.Level, label: String, message: String, metadata: Logger.Metadata) {
        var metadata = metadata
        // The lock is held while writing, so that lines don't mix.
        filter.withLock { filter in
            if level >= .warning {
                let error = metadata["error"].map { " \($0)" } ?? ""
                switch filter.add("\(label) \(message)\(error)", at: .now) {
                case .suppress: return
                case .write(let suppressed) where suppressed > 0: metadata["left_out"] = "\(suppressed)"
                case .write: break
                }
            }
            let line = LogLine(time: Date(), level: level, label: label, message: message, metadata: metadata)
            sink(format.text(line, colored: colored))
        }
    }
}

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
