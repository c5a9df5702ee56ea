import Foundation
import Glibc

/// The time limit and progress of one part, and the exit if an expectation is violated.
final class FuzzClock {
    private let name: String
    private let start = ContinuousClock.now
    private let end: ContinuousClock.Instant
    private var nextLine: ContinuousClock.Instant
    private(set) var inputs = 0
    private var bytes = 0
    /// The numbers of inputs by outcome.
    private var outcomes: [String: Int] = [:]

    init(name: String, seconds: Double) {
        self.name = name
        end = start + .milliseconds(Int(seconds * 1_000))
        nextLine = start + .seconds(30)
    }

    /// Whether there is time for another input; prints the progress from time to time.
    func goesOn() -> Bool {
        let now = ContinuousClock.now
        if now >= nextLine || now >= end {
            nextLine = now + .seconds(30)
            let seconds = start.duration(to: now) / .seconds(1)
            let rate = Int(Double(inputs) / max(seconds, 0.001))
            let what = outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
            print("\(name): \(inputs) inputs, \(bytes >> 20) MiB, \(rate)/s; \(what)")
            // Flushed, so that the progress is visible if the output is a file.
            fflush(nil)
        }
        return now < end
    }

    func count(_ size: Int) {
        inputs += 1
        bytes += size
    }

    func note(_ outcome: String, _ times: Int = 1) {
        outcomes[outcome, default: 0] += times
    }

    /// Exits unless the expectation is met, and keeps the input that violated it.
    func require(_ holds: Bool, _ promise: @autoclosure () -> String, _ input: [UInt8]) {
        guard !holds else { return }
        let file = FileManager.default.temporaryDirectory.path + "/afterpush-fuzz-\(name)-\(UUID().uuidString).bin"
        try? Data(input).write(to: URL(filePath: file))
        print("\(name): BROKEN after \(inputs) inputs: \(promise()); the input is in \(file)")
        exit(1)
    }

    /// The processor time of this thread in seconds, which does not depend on the load of the machine.
    static var work: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
