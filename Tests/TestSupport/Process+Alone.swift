import Foundation
import Synchronization

private let spawning = Mutex(())

extension Process {
    /// Starts it while no other starts. Foundation learns of a process's end by a socket that closes with it, and another that
    /// is started in that moment would inherit the socket and keep it open for as long as it lives.
    package func runAlone() throws {
        try spawning.withLock { _ in try run() }
    }
}
