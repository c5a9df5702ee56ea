import Subprocess

/// Runs PostgreSQL's programs, as the server's user if this program is root.
struct PostgresTool: Sendable {
    let directory: String
    /// nil: as this program's own user.
    let user: SystemUser?

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
        do {
            let result = try await Subprocess.run(
                // The caller's own directory may be one that the user can't enter.
                .name("sh"), arguments: Arguments(["-c", "cd / && exec \"$0\" \"$@\"", name] + arguments),
                environment: self.environment, platformOptions: self.options,
                output: .string(limit: 65_536), error: .string(limit: 65_536))
            let complaint = result.standardError.split(separator: "\n").last.map(String.init) ?? "no reason given"
            return (result.terminationStatus, result.standardOutput, complaint)
        } catch let error as SubprocessError {
            throw LocalClusterError.toolFailed(tool: name, reason: "\(error)")
        }
    }

    /// Nothing of the caller's: PGHOST, PGOPTIONS and the like would lead elsewhere. English, to be understood here.
    private var environment: Environment {
        .custom([
            "PATH": "\(self.directory):/usr/bin:/bin", "LC_ALL": "C", "PGCONNECT_TIMEOUT": "10",
        ])
    }

    private var options: PlatformOptions {
        var options = PlatformOptions()
        // Out of reach of the terminal's interrupt, which is this program's to handle.
        options.createSession = true
        if let user, SystemUser.isRoot {
            options.userID = user.uid
            options.groupID = user.gid
            options.supplementaryGroups = [user.gid]
        }
        return options
    }
}
