import Foundation
import Glibc

/// Another server than the collector, such as a proxy, that runs in the foreground on a port of the loopback interface.
package final class ServerProcess: Sendable {
    private let process: ChildProcess
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
        process = try ChildProcess(
            URL(filePath: command[0]), Array(command.dropFirst()), error: URL(filePath: log))
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
