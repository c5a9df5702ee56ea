import Foundation
import Glibc

/// Another server than the collector, such as a proxy, that runs in the foreground on a port of the loopback interface.
package final class ServerProcess: @unchecked Sendable {
    // Safe: `process` is set once, and only its pid and state are read afterwards.
    private let process: Process
    private let directory: String

    /// Starts a server and waits until it accepts connections.
    ///
    /// - Parameters:
    ///   - command: the program's path and its arguments.
    ///   - port: where it listens.
    ///   - directory: what it reads and writes; removed when the server ends.
    package init(_ command: [String], port: Int, directory: String) async throws {
        self.directory = directory
        guard FileManager.default.isExecutableFile(atPath: command[0]) else {
            throw Program.Failed(message: "\(command[0]) is not installed; run `make test-packages`")
        }
        let log = directory + "/log"
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardError = FileHandle(forWritingAtPath: log)
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.runAlone()
        ExitCleanup.register(collector: process.processIdentifier)
        ExitCleanup.register(directory: directory)
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            if let descriptor = Sockets.connect(.port(port)) {
                close(descriptor)
                return
            }
            guard process.isRunning, ContinuousClock.now < deadline else {
                let text = FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) }
                stop()
                throw Program.Failed(message: "\(command[0]) does not listen: \(text ?? "")")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    deinit { stop() }

    /// Ends the server at once.
    package func stop() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        ExitCleanup.forget(collector: process.processIdentifier)
        try? FileManager.default.removeItem(atPath: directory)
    }
}
