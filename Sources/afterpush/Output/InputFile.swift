import Foundation

/// A file that a command reads as a whole.
enum InputFile {
    struct Unreadable: Error, CustomStringConvertible {
        let path: String
        var description: String { "can't read the file \(path)" }
    }

    /// Reads a file.
    ///
    /// - Parameter path: The path, or `-` for standard input.
    static func read(_ path: String) throws -> Data {
        if path == "-" { return FileHandle.standardInput.readDataToEndOfFile() }
        guard let data = FileManager.default.contents(atPath: path) else { throw Unreadable(path: path) }
        return data
    }
}
