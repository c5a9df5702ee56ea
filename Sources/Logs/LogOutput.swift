import Foundation
import Glibc
import Logging
import Synchronization

/// Where the lines of all loggers of the program go, whole and in order.
package final class LogOutput: Sendable {
    private let format: LogFormat
    private let colored: Bool
    private let filter: Mutex<RepeatFilter>
    private let sink: @Sendable (String) -> Void

    /// - Parameter sink: called for one line at a time, its end included.
    package init(
        _ format: LogFormat, colored: Bool = false, filter: RepeatFilter = RepeatFilter(),
        sink: @escaping @Sendable (String) -> Void
    ) {
        self.format = format
        self.colored = colored
        self.filter = Mutex(filter)
        self.sink = sink
    }

    /// Standard error.
    ///
    /// - Parameter format: without one, text on a terminal and JSON elsewhere.
    package static func standardError(_ format: LogFormat? = nil) -> LogOutput {
        let isTerminal = isatty(STDERR_FILENO) == 1
        return LogOutput(format ?? (isTerminal ? .text : .json), colored: isTerminal) { line in
            // One write a line: what others write to the same file stays between lines.
            var line = line
            line.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    }

    func write(level: Logger.Level, label: String, message: String, metadata: Logger.Metadata) {
        var metadata = metadata
        // Held while writing, so that lines come out one after another.
        filter.withLock { filter in
            if level >= .warning {
                let error = metadata["error"].map { " \($0)" } ?? ""
                switch filter.add("\(label) \(message)\(error)", at: .now) {
                case .leaveOut: return
                case .write(let leftOut) where leftOut > 0: metadata["left_out"] = "\(leftOut)"
                case .write: break
                }
            }
            let line = LogLine(time: Date(), level: level, label: label, message: message, metadata: metadata)
            sink(format.text(line, colored: colored))
        }
    }
}
