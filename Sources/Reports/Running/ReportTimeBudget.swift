import Postgres

/// The time that all statements of a team's own report may take together.
struct ReportTimeBudget {
    private let report: String
    /// nil is no limit.
    private let end: ContinuousClock.Instant?

    /// As long as a statement may take otherwise, from now on.
    init(of definition: ReportDefinition, on connection: isolated Connection) {
        let timeout = connection.statementTimeout
        report = definition.name
        end = timeout > .zero ? .now + timeout : nil
    }

    /// Sets the server's time limit for the next statement to what is left: the previous one could have raised it.
    func enforce(on connection: isolated Connection) throws {
        guard let end else { return }
        let left = end - .now
        guard left > .zero else { throw ReportError.tooSlow(report: report) }
        try connection.limitStatements(to: left)
    }
}
