import Foundation

/// A file that a command was given.
enum InputFile {
    struct Unreadable: Error, CustomStringConvertible {
        let path: String
        var description: String { "can't read the file \(path)" }
    }

    /// - Parameter path: `-` reads standard input.
    static func read(_ path: String) throws -> Data {
        if path == "-" { return FileHandle.standardInput.readDataToEndOfFile() }
        guard let data = FileManager.default.contents(atPath: path) else { throw Unreadable(path: path) }
        return data
    }
}
