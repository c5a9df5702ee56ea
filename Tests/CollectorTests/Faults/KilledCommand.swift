import Foundation
import Glibc
import SeededRandom
import TestSupport

/// A command that is killed again and again, before and after the step that divides its run in two.
///
/// The step is the one that puts the new state in the place of the old, such as the exchange of two directories. It takes
/// no time, so kills that are spread over the run rarely come near it.
struct KilledCommand {
    let arguments: [String]
    var environment: [String: String] = [:]
    /// Whether the step has been taken since `prepare`.
    let isStepTaken: () throws -> Bool
    /// Makes the old state.
    let prepare: () async throws -> Void

    /// How long the command runs before the step, and after it.
    private var before = Duration.zero
    private var after = Duration.zero
    /// What the command says of its failure.
    private let errors = FileManager.default.temporaryDirectory
        .appending(path: "afterpush-\(UUID().uuidString.prefix(12))")

    init(
        _ arguments: [String], environment: [String: String] = [:], isStepTaken: @escaping () throws -> Bool,
        prepare: @escaping () async throws -> Void = {}
    ) {
        (self.arguments, self.environment) = (arguments, environment)
        (self.isStepTaken, self.prepare) = (isStepTaken, prepare)
    }

    /// Runs the command to its end, and measures both parts of its run.
    mutating func measure() async throws {
        try await self.prepare()
        let process = try self.start()
        let start = ContinuousClock.now
        try await self.waitForStep(process)
        let step = ContinuousClock.now
        while process.isRunning { try await Task.sleep(for: .milliseconds(1)) }
        guard process.terminationStatus == 0, try self.isStepTaken() else {
            let reason = try String(contentsOf: self.errors, encoding: .utf8)
            throw Program.Failed(message: "\(self.arguments.joined(separator: " ")) failed: \(reason)")
        }
        (self.before, self.after) = (start.duration(to: step), step.duration(to: .now))
    }

    /// Starts the command and kills it, and returns whether the step was taken.
    ///
    /// - Parameters:
    ///   - share: The moment, as a share of the part of the run.
    ///   - isAfterStep: Whether the part after the step is meant.
    func kill(at share: Double, ofPartAfterStep isAfterStep: Bool) async throws -> Bool {
        var delay = (isAfterStep ? self.after : self.before) * share
        for _ in 0..<20 {
            try await self.prepare()
            let process = try self.start()
            if isAfterStep { try await self.waitForStep(process) }
            try await Task.sleep(for: delay)
            Glibc.kill(process.processIdentifier, SIGKILL)
            while process.isRunning { try await Task.sleep(for: .milliseconds(1)) }
            if process.wasKilled { return try self.isStepTaken() }
            // It was faster than measured.
            delay = delay * 0.7
        }
        throw Program.Failed(message: "\(self.arguments.joined(separator: " ")) always ends before it is killed")
    }

    /// The moments of a number of kills: spread evenly over each part of the run, and random within their intervals.
    static func moments(
        before: Int, after: Int, _ random: inout SeededGenerator
    ) -> [(share: Double, isAfterStep: Bool)] {
        func spread(_ count: Int, _ isAfterStep: Bool) -> [(share: Double, isAfterStep: Bool)] {
            (0..<count).map {
                ((Double($0) + Double.random(in: 0...1, using: &random)) / Double(count), isAfterStep)
            }
        }
        return spread(before, false) + spread(after, true)
    }

    private func start() throws -> ChildProcess {
        try? FileManager.default.removeItem(at: self.errors)
        return try ChildProcess(
            Program.url, self.arguments,
            environment: ProcessInfo.processInfo.environment.merging(self.environment) { $1 }, error: self.errors)
    }

    private func waitForStep(_ process: ChildProcess) async throws {
        while process.isRunning, try !self.isStepTaken() { try await Task.sleep(for: .milliseconds(1)) }
    }
}
