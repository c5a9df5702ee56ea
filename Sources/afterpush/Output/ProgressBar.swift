import Foundation
import Synchronization

/// A progress bar on standard error. It is shown only on a terminal.
final class ProgressBar: Sendable {
    private struct State {
        var line: ProgressLine
        var drawnAt: ContinuousClock.Instant?
    }

    /// The shortest time between two updates of the line.
    private static let minimumInterval: Duration = .milliseconds(200)

    private let start = ContinuousClock.now
    private let isShown: Bool
    private let state: Mutex<State>

    /// Creates a bar, which is shown at the first update.
    ///
    /// - Parameter startFraction: The fraction that is already done.
    init(unit: String, startFraction: Double = 0, isShown: Bool = isatty(2) == 1) {
        self.isShown = isShown
        state = Mutex(State(line: ProgressLine(startFraction: startFraction, count: 0, unit: unit, seconds: 0)))
    }

    /// Updates the line.
    ///
    /// - Parameter phase: What is being done, if there are several phases.
    func update(fraction: Double?, count: Int, phase: String? = nil) {
        guard isShown else { return }
        let now = ContinuousClock.now
        state.withLock { state in
            state.line.fraction = fraction
            state.line.count = count
            state.line.phase = phase
            state.line.seconds = start.duration(to: now) / .seconds(1)
            if let drawnAt = state.drawnAt, now < drawnAt + Self.minimumInterval { return }
            state.drawnAt = now
            Self.write("\r" + state.line.text + Self.eraseRest)
        }
    }

    /// Removes the bar, so that later output begins on an empty line.
    func finish() {
        state.withLock { state in
            if state.drawnAt != nil { Self.write("\r" + Self.eraseRest) }
            state.drawnAt = nil
        }
    }

    private static let eraseRest = "\u{1B}[K"

    private static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

/// The text of a progress bar at one moment.
struct ProgressLine: Equatable {
    /// The fraction done, or nil if the total is unknown.
    var fraction: Double?
    /// The fraction that was done before the bar started.
    var startFraction = 0.0
    var count: Int
    var phase: String?
    let unit: String
    var seconds: Double

    private static let width = 24

    var text: String {
        var parts = phase.map { [$0] } ?? []
        if let fraction {
            let done = min(max(fraction, 0), 1)
            let filled = Int(done * Double(Self.width))
            let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: Self.width - filled)
            parts.append("[\(bar)] \(Self.padded(Int(done * 100), 3)) %")
        }
        parts.append("\(Self.grouped(count)) \(unit)")
        if seconds >= 1 { parts.append("\(Self.grouped(Int(Double(count) / seconds)))/s") }
        if let remaining { parts.append("\(Self.clock(remaining)) left") }
        return parts.joined(separator: "  ")
    }

    /// The estimated seconds left, or nil while it is too early for an estimate.
    private var remaining: Int? {
        guard let fraction, seconds >= 2, fraction - startFraction > 0.001 else { return nil }
        return Int(seconds / (fraction - startFraction) * (1 - min(fraction, 1)))
    }

    static func grouped(_ number: Int) -> String {
        let digits = String(number)
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }

    private static func clock(_ seconds: Int) -> String {
        let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
        guard minutes >= 60 else { return "\(minutes):\(padded(rest, 2, "0"))" }
        return "\(minutes / 60):\(padded(minutes % 60, 2, "0")):\(padded(rest, 2, "0"))"
    }

    private static func padded(_ number: Int, _ width: Int, _ filler: Character = " ") -> String {
        let digits = String(number)
        return String(repeating: filler, count: max(0, width - digits.count)) + digits
    }
}
