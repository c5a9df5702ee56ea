import Files
import Subprocess

/// Runs PostgreSQL's programs, as the server's user if this program runs as root.
struct PostgresTool: Sendable {
    let directory: String
    /// The user to run programs as, or `nil` for this program's user.
    let user: SystemUser?
    /// The programs' working directory. The caller's directory may be inaccessible to the user.
    var workingDirectory = "/"

    /// Runs a program to its end and returns its output.
    ///
    /// - Throws: `.toolFailed` with the last line of standard error.
    @discardableResult
    func run(_ name: String, _ arguments: [String]) async throws -> String {
        let result = try await self.execute(name, arguments)
        guard result.status.isSuccess else {
            throw LocalClusterError.toolFailed(tool: name, reason: result.complaint)
        }
        return result.output
    }

    /// Runs a program and returns whether it succeeded.
    func succeeds(_ name: String, _ arguments: [String]) async throws -> Bool {
        try await self.execute(name, arguments).status.isSuccess
    }

    /// Runs a program to its end and returns its status, output and last complaint.
    func execute(
        _ name: String, _ arguments: [String]
    ) async throws -> (status: TerminationStatus, output: String, complaint: String) {
        let command = self.becomeUser + [name] + arguments
        let shell = ["-c", #"cd "$0" && exec "$@""#, self.workingDirectory] + command
        var options = PlatformOptions()
        // A new session keeps the terminal's interrupt from the server; this program handles it.
        options.createSession = true
        do {
            let result = try await Subprocess.run(
                .name("sh"), arguments: Arguments(shell), environment: self.environment, platformOptions: options,
                output: .string(limit: 65_536), error: .string(limit: 65_536))
            let lines = result.standardError.split(separator: "\n")
            // After the reason, some programs say what they clean up.
            let complaint = lines.last { $0.contains("error: ") || $0.contains("FATAL: ") } ?? lines.last
            return (result.terminationStatus, result.standardOutput, complaint.map(String.init) ?? "no reason given")
        } catch let error as SubprocessError {
            throw LocalClusterError.toolFailed(tool: name, reason: "\(error)")
        }
    }

    /// The command prefix that changes the user.
    ///
    /// Subprocess's `userID`, `groupID` and `supplementaryGroups` aren't used, because on Linux they call glibc's
    /// setgroups and setuid after a bare clone3. glibc then waits for threads that were starting in the parent and
    /// don't exist in the child. In swift-subprocess 1.0.2 this hung forever. (Its working directory is set in the same
    /// way.)
    private var becomeUser: [String] {
        guard let user, SystemUser.isRoot else { return [] }
        return ["setpriv", "--reuid", "\(user.uid)", "--regid", "\(user.gid)", "--clear-groups", "--"]
    }

    /// The programs' environment. It has none of the caller's variables, because PGHOST, PGOPTIONS and others would
    /// change the connection, and it sets the language to English, because messages are parsed here.
    ///
    /// What runs as root must not give root's passwords and tickets to the server: without HOME, libpq looks for the
    /// account's. There is no such file as this one, and an existing one that is not regular would cause a warning.
    private var environment: Environment {
        .custom([
            "PATH": "\(self.directory):/usr/bin:/bin", "LC_ALL": "C", "PGCONNECT_TIMEOUT": "10",
            "PGPASSFILE": "/dev/null/none", "PGGSSENCMODE": "disable",
            // These are for the server's processes. By default glibc returns a statement's memory to the kernel and
            // gets it again, page by page, for the next one, which takes a ninth of a report's time. So each process
            // can keep some megabytes.
            "MALLOC_TRIM_THRESHOLD_": "4194304", "MALLOC_MMAP_THRESHOLD_": "2097152",
        ])
    }
}
