import Foundation
import Reports

/// The output of commands: data goes to standard output, everything else to standard error.
enum Terminal {
    static func print(_ text: String) {
        write(Array((text + "\n").utf8))
    }

    static func write(_ bytes: [UInt8]) {
        FileHandle.standardOutput.write(Data(bytes))
    }

    /// Writes lines of text without the control characters in them.
    static func show(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            let text = String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
            return TerminalText.visible(text) + (line.last == UInt8(ascii: "\r") ? "\r" : "")
        }
        write(Array(lines.joined(separator: "\n").utf8))
    }

    /// Writes text to standard error. It escapes control characters, because file names can contain any character.
    static func note(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            TerminalText.visible(String($0))
        }
        FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    }

    static var isInteractive: Bool { isatty(1) == 1 }
}
