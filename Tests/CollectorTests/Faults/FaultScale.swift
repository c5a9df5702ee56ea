import Foundation

/// The extent of the fault tests: quick in `make test`, long in `make faults`.
enum FaultScale {
    static let isLong = ProcessInfo.processInfo.environment["AFTERPUSH_FAULTS"] == "long"

    /// The number of runs of each test, each with its own seed.
    static let seeds =
        ProcessInfo.processInfo.environment["AFTERPUSH_FAULT_SEEDS"].flatMap { Int($0) } ?? (isLong ? 20 : 1)

    /// The seed of the first run, to reproduce a failure.
    static let firstSeed = ProcessInfo.processInfo.environment["AFTERPUSH_FAULT_SEED"].flatMap { UInt64($0) }

    /// Whether all collectors run without a spool.
    static let isWithoutSpool = ProcessInfo.processInfo.environment["AFTERPUSH_FAULT_SPOOL"] == "0"

    static func pick<T>(quick: T, long: T) -> T { isLong ? long : quick }
}
