import Foundation
import Reports

/// The output of commands: data goes to standard output, everything else to standard error.
enum Terminal {
    static func print(_ text: String, terminator: String = "\n") {
        write(Array((text + terminator).utf8))
    }

    static func write(_ bytes: [UInt8]) {
        FileHandle.standardOutput.write(Data(bytes))
    }

    /// Writes lines of text, with their control characters escaped.
    static func show(_ bytes: [UInt8]) {
        print(visibleLines(String(decoding: bytes, as: UTF8.self)), terminator: "")
    }

    /// Writes text to standard error. It escapes control characters, because file names can contain any character.
    static func note(_ text: String) {
        FileHandle.standardError.write(Data((visibleLines(text) + "\n").utf8))
    }

    private static func visibleLines(_ text: String) -> String {
        // The two characters at the end of a line of CSV are one for Swift.
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            .map { TerminalText.visible(String($0)) }.joined(separator: "\n")
    }

    static var isInteractive: Bool { isatty(1) == 1 }
}
