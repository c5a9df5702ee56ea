import Foundation

/// Where commands write: data to standard output, everything else to standard error.
enum Terminal {
    static func print(_ text: String) {
        write(Array((text + "\n").utf8))
    }

    static func write(_ bytes: [UInt8]) {
        FileHandle.standardOutput.write(Data(bytes))
    }

    static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    static var isInteractive: Bool { isatty(1) == 1 }
}
