package import Foundation
import Glibc
import Synchronization

/// A process that a test starts, with the descriptors that it is given and no others.
///
/// Foundation's `Process` lists the descriptors of this process before it starts another one, and reads behind the end of
/// that list. With more than a thousand connections open, as tests of the server's limits have, that can crash.
package final class ChildProcess: Sendable {
    package let processIdentifier: Int32
    /// What `waitpid` said once the process had ended.
    private let ended = Mutex<Int32?>(nil)

    /// Starts a program in a process group of its own.
    ///
    /// - Parameters:
    ///   - program: the path of an executable file.
    ///   - environment: its whole environment, by default that of this process.
    ///   - input: the file that it reads.
    ///   - output: the file to which its output is appended, created if needed.
    ///   - error: the same for its errors.
    package init(
        _ program: URL, _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment,
        input: URL = null, output: URL = null, error: URL = null
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.path, O_RDONLY, 0)
        for (descriptor, file) in [(STDOUT_FILENO, output), (STDERR_FILENO, error)] {
            posix_spawn_file_actions_addopen(&actions, descriptor, file.path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
        }
        guard let closeFrom = Self.closeFrom, closeFrom(&actions, STDERR_FILENO + 1) == 0 else {
            throw Program.Failed(message: "this system can't start a process without this one's descriptors")
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let words = ([program.path] + arguments).map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for text in words + variables { free(text) } }
        var identifier: pid_t = 0
        let code = posix_spawn(&identifier, program.path, &actions, &attributes, words + [nil], variables + [nil])
        guard code == 0 else {
            throw Program.Failed(message: "\(program.path) did not start: \(String(cString: strerror(code)))")
        }
        processIdentifier = identifier
    }

    /// `posix_spawn_file_actions_addclosefrom_np`, which Swift's module of glibc leaves out.
    private static let closeFrom: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32)? =
        unsafeBitCast(
            dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"),
            to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32)?.self)

    /// The file that holds nothing, and takes everything.
    package static let null = URL(filePath: "/dev/null")

    package var isRunning: Bool { status(WNOHANG) == nil }

    /// The status with which the process exited, or the signal that ended it. It must not be running.
    package var terminationStatus: Int32 {
        guard let status = status(WNOHANG) else { preconditionFailure("the process is running") }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
    }

    /// Whether a signal ended the process.
    package var wasKilled: Bool { status(WNOHANG).map { $0 & 0x7F != 0 } ?? false }

    /// Waits until the process has ended, on the calling thread.
    package func waitUntilExit() { _ = status(0) }

    private func status(_ options: Int32) -> Int32? {
        ended.withLock { ended in
            if ended == nil {
                var status: Int32 = 0
                if waitpid(processIdentifier, &status, options) == processIdentifier { ended = status }
            }
            return ended
        }
    }
}
