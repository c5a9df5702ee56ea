package import Foundation

/// The program that the tests were built with.
package enum Program {
    package struct Failed: Error, CustomStringConvertible {
        package let message: String
        package var description: String { message }

        package init(message: String) {
            self.message = message
        }
    }

    package struct Output: Sendable {
        package let status: Int32
        package let output: String
        package let error: String
    }

    package static var url: URL {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "afterpush")
    }

    /// The root folder of the package.
    package static var root: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    }

    /// Runs a command of the program, or another program, to its end.
    package static func run(
        _ arguments: [String], program: URL = url, input: String? = nil, environment: [String: String] = [:]
    ) async throws -> Output {
        let directory = FileManager.default.temporaryDirectory
        let files = (0..<3).map { _ in directory.appending(path: "afterpush-\(UUID().uuidString.prefix(12))") }
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        for file in files { try Data((input ?? "").utf8).write(to: file) }
        for file in files.dropFirst() { try Data().write(to: file) }
        let process = try ChildProcess(
            program, arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            input: files[0], output: files[1], error: files[2])
        while process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        return Output(
            status: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
            error: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }

    /// Returns words as a command of a shell.
    package static func shell(_ words: [String]) -> String {
        words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
    }

    /// Runs psql on a file of SQL and returns its output as CSV.
    package static func psql(_ conninfo: String, file: String, variables: [String: String] = [:]) async throws -> String
    {
        let settings = variables.flatMap { ["-v", "\($0.key)=\($0.value)"] }
        let output = try await run(
            ["-X", "-q", "--csv", "-v", "ON_ERROR_STOP=1", "-d", conninfo] + settings + ["-f", file],
            program: URL(filePath: "/usr/bin/psql"), environment: ["PGTZ": "UTC"])
        guard output.status == 0 else { throw Failed(message: output.error) }
        return output.output
    }
}
