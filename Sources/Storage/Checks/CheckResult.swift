/// The result of one check of `afterpush doctor`, with advice.
package struct CheckResult: Sendable, Equatable {
    package enum Level: String, Sendable {
        case ok, warn, fail
    }

    /// The check's name, which is stable for programs.
    package let check: String
    package let level: Level
    package let finding: String
    /// The action to take, or `nil` if none is needed.
    package let advice: String?

    package init(_ check: String, _ level: Level, _ finding: String, advice: String? = nil) {
        self.check = check
        self.level = level
        self.finding = finding
        self.advice = level == .ok ? nil : advice
    }
}
