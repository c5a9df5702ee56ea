import Foundation
import Synchronization

private let spawning = Mutex(())

extension Process {
    /// Starts the process while no other process starts. Foundation notices the end of a process by a socket that
    /// closes; another process started at that moment would inherit the socket and keep it open.
    package func runAlone() throws {
        try spawning.withLock { _ in try run() }
    }
}
