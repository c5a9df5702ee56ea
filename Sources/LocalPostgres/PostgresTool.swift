import Subprocess

/// Runs PostgreSQL's programs, as the server's user if this program is root.
struct PostgresTool: Sendable {
    let directory: String
    /// nil: as this program's own user.
    let user: SystemUser?
    /// Where programs run: the caller's own directory may be one that the user can't enter.
    var workingDirectory = "/"

    /// Runs a program to its end and returns its output.
    ///
    /// - Throws: `.toolFailed` with the last line it wrote to standard error.
    @discardableResult
    func run(_ name: String, _ arguments: [String]) async throws -> String {
        let result = try await self.execute(name, arguments)
        guard result.status.isSuccess else {
            throw LocalClusterError.toolFailed(tool: name, reason: result.complaint)
        }
        return result.output
    }

    /// Whether a program ends well.
    func succeeds(_ name: String, _ arguments: [String]) async throws -> Bool {
        try await self.execute(name, arguments).status.isSuccess
    }

    private func execute(
        _ name: String, _ arguments: [String]
    ) async throws -> (status: TerminationStatus, output: String, complaint: String) {
        let command = self.becomeUser + [name] + arguments
        let shell = ["-c", #"cd "$0" && exec "$@""#, self.workingDirectory] + command
        var options = PlatformOptions()
        // Out of reach of the terminal's interrupt, which is this program's to handle.
        options.createSession = true
        do {
            let result = try await Subprocess.run(
                .name("sh"), arguments: Arguments(shell), environment: self.environment, platformOptions: options,
                output: .string(limit: 65_536), error: .string(limit: 65_536))
            let complaint = result.standardError.split(separator: "\n").last.map(String.init) ?? "no reason given"
            return (result.terminationStatus, result.standardOutput, complaint)
        } catch let error as SubprocessError {
            throw LocalClusterError.toolFailed(tool: name, reason: "\(error)")
        }
    }

    /// Changes the user in a process of its own.
    ///
    /// Not Subprocess's `userID`, `groupID` and `supplementaryGroups`: on Linux they call glibc's setgroups and setuid
    /// after a bare clone3. glibc then waits for threads that were just starting in the parent, and that the child
    /// doesn't have: seen to hang for ever in swift-subprocess 1.0.2. (Its working directory takes the same way.)
    private var becomeUser: [String] {
        guard let user, SystemUser.isRoot else { return [] }
        return ["setpriv", "--reuid", "\(user.uid)", "--regid", "\(user.gid)", "--clear-groups", "--"]
    }

    /// Nothing of the caller's: PGHOST, PGOPTIONS and the like would lead elsewhere. English, to be understood here.
    private var environment: Environment {
        .custom([
            "PATH": "\(self.directory):/usr/bin:/bin", "LC_ALL": "C", "PGCONNECT_TIMEOUT": "10",
            // For the server's processes. glibc would give back what a statement had used and get it anew for the next,
            // page by page: a ninth of the time that a report takes. So each may keep some megabytes.
            "MALLOC_TRIM_THRESHOLD_": "4194304", "MALLOC_MMAP_THRESHOLD_": "2097152",
        ])
    }
}
