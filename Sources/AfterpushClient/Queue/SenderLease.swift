import AfterpushWire
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The right to send, which one instance of all processes holds for a limited time.
///
/// It is not a lock that is held during a request, because iOS kills an app that is suspended while it holds one. If two
/// instances do send at the same time, because one was suspended past its time, the collector detects the duplicates.
final class SenderLease: Sendable {
    private let location: QueueLocation
    private let owner: String
    private let now: @Sendable () -> Timestamp

    /// The content of the file.
    private struct Holder: Codable {
        let owner: String
        let process: Int32
        /// The end of the lease in milliseconds since 1970.
        let until: Int64
        let seconds: Double
    }

    /// The longest lease: the longest time limit of a request, and what `EventUploader` adds to it.
    private static let longestSeconds = 86_415.0

    init(_ location: QueueLocation, now: @escaping @Sendable () -> Timestamp) {
        self.location = location
        self.now = now
        owner = UUID().uuidString
    }

    /// Acquires or renews the lease for some seconds. Returns false if another instance holds it.
    ///
    /// If the disk is full, every instance may send, because sending is what frees space.
    func acquire(seconds: Double) -> Bool {
        let isAcquired = try? withFile { file throws(FileError) -> Bool in
            let milliseconds = now().microseconds / 1_000
            guard try isFree(file, at: milliseconds) else { return false }
            let seconds = min(max(0, seconds), Self.longestSeconds)
            let until = milliseconds + Int64(seconds * 1_000)
            let holder = Holder(owner: owner, process: getpid(), until: until, seconds: seconds)
            let text = (try? JSONEncoder().encode(holder)) ?? Data()
            try file.truncate(to: 0)
            try file.write(Array(text), at: 0)
            return true
        }
        return isAcquired ?? true
    }

    func release() {
        try? withFile { file throws(FileError) in
            guard try holder(file)?.owner == owner else { return }
            try file.truncate(to: 0)
        }
    }

    private func isFree(_ file: OpenFile, at milliseconds: Int64) throws(FileError) -> Bool {
        guard let holder = try holder(file), holder.owner != owner else { return true }
        // Any number may be in the file, so that a difference of integers could overflow.
        let left = (Double(holder.until) - Double(milliseconds)) / 1_000
        // If more time is left than was requested, the clock was set back.
        if left <= 0 || left > min(holder.seconds, Self.longestSeconds) { return true }
        return holder.process <= 0 || kill(holder.process, 0) != 0 && errno == ESRCH
    }

    private func holder(_ file: OpenFile) throws(FileError) -> Holder? {
        let text = try file.read(at: 0, count: 1_024)
        return try? JSONDecoder().decode(Holder.self, from: Data(text))
    }

    private func withFile<Value>(_ body: (OpenFile) throws(FileError) -> Value) throws(FileError) -> Value {
        let file = try location.openReplacing(location.lease, O_RDWR | O_CREAT)
        try file.lock()
        defer { file.unlock() }
        return try body(file)
    }
}
