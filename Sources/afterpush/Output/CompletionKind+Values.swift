import ArgumentParser
import Events
import Reports

/// What a shell offers as values.
extension CompletionKind {
    /// The names of the apps, asked of the database.
    ///
    /// Only names that mean nothing to a shell are offered: bash expands what it completes, so a name could run commands.
    static var apps: CompletionKind {
        .shellCommand("afterpush apps list 2>/dev/null | cut -f 1 | grep -x '[[:alnum:]_][[:alnum:]_.-]*'")
    }
    /// The names of the built-in reports.
    static var reports: CompletionKind { .list(ReportService.builtInNames) }
    static var formats: CompletionKind { .list(ReportOutput.names) }
    static var periods: CompletionKind {
        .list(["today", "yesterday", "24h", "7d", "30d", "month", "last-month", "all"])
    }
    static var scopes: CompletionKind { .list(Scope.allCases.map(\.rawValue)) }
}
