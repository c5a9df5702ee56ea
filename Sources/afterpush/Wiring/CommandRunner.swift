import ArgumentParser
import Foundation
import Postgres

/// Ends a command that failed with one clear message and the exit code that goes with it.
enum CommandRunner {
    static func run(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as ExitCode {
            throw error
        } catch let error as ValidationError {
            throw error
        } catch let error as PostgresError {
            Terminal.note("afterpush: \(error.detailForOperator)")
            throw ExitCode(1)
        } catch {
            Terminal.note("afterpush: \(error)")
            throw ExitCode(1)
        }
    }
}
