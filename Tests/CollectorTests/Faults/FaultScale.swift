import Foundation

/// How much of a fault test is run: the quick form in `make test`, the long one in `make faults`.
enum FaultScale {
    static let isLong = ProcessInfo.processInfo.environment["AFTERPUSH_FAULTS"] == "long"

    /// Runs of each test, every one with a seed of its own.
    static let seeds =
        ProcessInfo.processInfo.environment["AFTERPUSH_FAULT_SEEDS"].flatMap { Int($0) } ?? (isLong ? 20 : 1)

    /// The seed of the first run, to see a failure again.
    static let firstSeed = ProcessInfo.processInfo.environment["AFTERPUSH_FAULT_SEED"].flatMap { UInt64($0) }

    /// No collector has a spool.
    static let isWithoutSpool = ProcessInfo.processInfo.environment["AFTERPUSH_FAULT_SPOOL"] == "0"

    static func pick<T>(quick: T, long: T) -> T { isLong ? long : quick }
}
