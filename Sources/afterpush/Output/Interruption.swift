import Dispatch
import Foundation
import Synchronization

/// Says something when the user presses Ctrl-C, before the program ends as it otherwise would.
final class Interruption: Sendable {
    // Safe: the source is only resumed and cancelled, which any thread may do.
    private nonisolated(unsafe) let source: any DispatchSourceSignal

    /// Begins to wait for Ctrl-C.
    ///
    /// - Parameter note: Returns what to say.
    init(_ note: @escaping @Sendable () -> String) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            Terminal.note(note())
            // The shell that runs a script must see that a signal ended the program.
            signal(SIGINT, SIG_DFL)
            kill(getpid(), SIGINT)
        }
        source.resume()
    }

    /// Gives Ctrl-C its usual meaning back.
    func end() {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
