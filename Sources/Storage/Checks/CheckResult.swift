/// What one check of `afterpush doctor` found, and what to do about it.
package struct CheckResult: Sendable, Equatable {
    package enum Level: String, Sendable {
        case ok, warn, fail
    }

    /// The check's name, stable, for programs.
    package let check: String
    package let level: Level
    package let finding: String
    /// Nil when nothing is to be done.
    package let advice: String?

    package init(_ check: String, _ level: Level, _ finding: String, advice: String? = nil) {
        self.check = check
        self.level = level
        self.finding = finding
        self.advice = level == .ok ? nil : advice
    }
}
