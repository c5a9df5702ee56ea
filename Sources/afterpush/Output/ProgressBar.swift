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

    func update(fraction: Double?, count: Int) {
        guard isShown else { return }
        let now = ContinuousClock.now
        state.withLock { state in
            state.line.fraction = fraction
            state.line.count = count
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
        FileHandle.standardError.write(Data(text.utf8))
    }
}
