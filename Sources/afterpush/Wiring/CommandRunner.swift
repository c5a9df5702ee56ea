import ArgumentParser
import Foundation
import Postgres
import Reports

/// Runs commands. It prints an error as one message, and exits with the code for its kind.
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
            Terminal.complain("\(error)")
            throw ExitCode(1)
        }
    }
}

extension ReportError {
    /// Whether the command line is wrong: it has an unknown report or an invalid parameter.
    fileprivate var isUsage: Bool {
        switch self {
        case .parameter, .unknownReport: true
        case .file, .result, .tooSlow: false
        }
    }
}
