import Foundation
import Glibc
import LocalPostgres
import Reports
import Synchronization

/// The output of commands: data goes to standard output, everything else to standard error.
enum Terminal {
    static func print(_ text: String, terminator: String = "\n") {
        write(Array((text + terminator).utf8))
    }

    static func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                let reason = String(cString: strerror(errno))
                return writeFailure.withLock { $0 = $0 ?? reason }
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Why something is missing in standard output, such as a full disk, or `nil`. The command fails at its end: it stops
    /// its PostgreSQL first.
    static let writeFailure = Mutex<String?>(nil)

    /// Writes a line of cells for programs, with tabs between them. Control characters of a cell are replaced, so that no
    /// name can make further cells or lines.
    static func print(cells: [String]) {
        print(cells.map(TerminalText.visible).joined(separator: "\t"))
    }

    static func print(cells: String...) { print(cells: cells) }

    /// Writes JSON: to a terminal, with what has effects there as escape sequences of JSON.
    static func print(json: String) {
        print(isInteractive ? TerminalText.escaped(json: json) : json)
    }

    /// Writes lines of text, with their control characters escaped.
    static func show(_ bytes: [UInt8]) {
        print(visibleLines(String(decoding: bytes, as: UTF8.self)), terminator: "")
    }

    /// Writes text to standard error. It escapes control characters, because file names can contain any character.
    static func note(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((visibleLines(text) + "\n").utf8))
    }

    /// Writes the reason why a command fails.
    static func complain(_ reason: String) {
        note("afterpush: \(reason)")
        explainRights(after: reason)
    }

    /// Says whose rights the program has, if root started it and a file was refused.
    static func explainRights(after reason: String) {
        guard reason.contains("Permission denied"), let owner = Privileges.owner else { return }
        note(
            """
            afterpush: as root's command it goes on as \(owner.user), who owns \(owner.directory): \
            name files that \(owner.user) can use, or use standard input and output
            """)
    }

    private static func visibleLines(_ text: String) -> String {
        // The two characters at the end of a line of CSV are one for Swift.
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            .map { TerminalText.visible(String($0)) }.joined(separator: "\n")
    }

    static var isInteractive: Bool { isatty(1) == 1 }

    /// Clears the terminal, and moves the cursor to its top.
    static func clear() {
        print("\u{1B}[H\u{1B}[2J", terminator: "")
    }

    /// The width for tables: that of the terminal, else the environment's COLUMNS, else 120.
    static var width: Int {
        var size = winsize()
        if isInteractive, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return max(40, Int(size.ws_col)) }
        return ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }.map { max(40, $0) } ?? 120
    }
}
