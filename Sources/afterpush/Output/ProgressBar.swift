import Foundation
import Synchronization

/// Shows on a terminal how far something is; elsewhere it shows nothing.
final class ProgressBar: Sendable {
    private struct State {
        var line: ProgressLine
        var drawnAt: ContinuousClock.Instant?
    }

    private static let pause: Duration = .milliseconds(200)

    private let start = ContinuousClock.now
    private let isShown: Bool
    private let state: Mutex<State>

    /// - Parameter startFraction: what is done already.
    init(unit: String, startFraction: Double = 0, isShown: Bool = isatty(2) == 1) {
        self.isShown = isShown
        state = Mutex(State(line: ProgressLine(startFraction: startFraction, count: 0, unit: unit, seconds: 0)))
    }

    func update(fraction: Double?, count: Int) {
        guard isShown else { return }
        let now = ContinuousClock.now
        state.withLock { state in
            state.line.fraction = fraction
            state.line.count = count
            state.line.seconds = start.duration(to: now) / .seconds(1)
            if let drawnAt = state.drawnAt, now < drawnAt + Self.pause { return }
            state.drawnAt = now
            Self.write("\r" + state.line.text + Self.eraseRest)
        }
    }

    /// Takes the bar away: what is written next begins a line.
    func finish() {
        state.withLock { state in
            if state.drawnAt != nil { Self.write("\r" + Self.eraseRest) }
            state.drawnAt = nil
        }
    }

    private static let eraseRest = "\u{1B}[K"

    private static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
