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

    /// Returns an output to standard error, for commands, whose loggers wait until their line is written.
    ///
    /// - Parameter format: The format. The default is text on a terminal and JSON otherwise.
    package static func standardError(_ format: LogFormat? = nil) -> LogOutput {
        LogOutput(format ?? standardErrorFormat, colored: isTerminal) { _ = writeToStandardError($0) }
    }

    /// Returns an output to standard error whose loggers never wait, and the queue of its lines.
    package static func queuedStandardError(_ format: LogFormat? = nil) -> (output: LogOutput, queue: LogQueue) {
        let (format, colored) = (format ?? standardErrorFormat, isTerminal)
        let queue = LogQueue(write: writeToStandardError) { dropped in
            let line = LogLine(
                time: Date(), level: .warning, label: "afterpush",
                message: "log lines were dropped, because standard error was not read or could not be written",
                metadata: ["lines": .stringConvertible(dropped)])
            return format.text(line, colored: colored)
        }
        return (LogOutput(format, colored: colored) { queue.add($0) }, queue)
    }

    /// Writes a line, by one call if possible so that other writers of the same file don't split it, and returns whether
    /// it was written.
    private static func writeToStandardError(_ line: String) -> Bool {
        var line = line
        return line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
                if count >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                } else if errno == EAGAIN {
                    // Another program has the same pipe, and made it non-blocking.
                    var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
                    poll(&descriptor, 1, -1)
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    private static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    private static var standardErrorFormat: LogFormat { isTerminal ? .text : .json }

    func write(level: Logger.Level, label: String, message: String, metadata: Logger.Metadata) {
        var metadata = metadata
        // The lock is held meanwhile, so that lines don't mix.
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
