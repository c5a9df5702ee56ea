import ArgumentParser
import Foundation
import Postgres
import Reports

/// Ends a command that failed with one clear message and the exit code that goes with it.
enum CommandRunner {
    static func run(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as ExitCode {
            throw error
        } catch let error as ValidationError {
            throw error
        } catch let error as ReportError where error.isUsage {
            Terminal.note("afterpush: \(error)")
            throw ExitCode(2)
        } catch let error as PostgresError {
            Terminal.note("afterpush: \(error.detailForOperator)")
            throw ExitCode(1)
        } catch {
            Terminal.note("afterpush: \(error)")
            throw ExitCode(1)
        }
    }
}

extension ReportError {
    /// Whether the caller asked for something that isn't there.
    fileprivate var isUsage: Bool {
        switch self {
        case .parameter, .unknownReport: true
        case .file, .result, .tooSlow: false
        }
    }
}
