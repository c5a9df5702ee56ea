import AfterpushWire
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The right to send, held by one instance of all processes, and for a limited time.
///
/// Not a lock held while a request is under way: iOS ends an app that is suspended while it holds one. Two that send at
/// once, because one slept past its time, waste a request; what is stored is the same.
final class SenderLease: Sendable {
    private let place: QueueLocation
    private let owner: String
    private let now: @Sendable () -> Timestamp

    /// What the file says.
    private struct Holder: Codable {
        let owner: String
        let process: Int32
        /// Milliseconds since 1970.
        let until: Int64
        let seconds: Double
    }

    init(_ place: QueueLocation, now: @escaping @Sendable () -> Timestamp) {
        self.place = place
        self.now = now
        owner = UUID().uuidString
    }

    /// Whether this instance may send for so many seconds; an instance that may can ask for more.
    ///
    /// On a disk that takes no word of it anyone may: sending is what makes room.
    func take(seconds: Double) -> Bool {
        let taken = try? withFile { file throws(FileError) -> Bool in
            let milliseconds = now().microseconds / 1_000
            guard try isFree(file, at: milliseconds) else { return false }
            let holder = Holder(
                owner: owner, process: getpid(), until: milliseconds + Int64(seconds * 1_000), seconds: seconds)
            let text = (try? JSONEncoder().encode(holder)) ?? Data()
            try file.truncate(to: 0)
            try file.write(Array(text), at: 0)
            return true
        }
        return taken ?? true
    }

    func release() {
        try? withFile { file throws(FileError) in
            guard try holder(file)?.owner == owner else { return }
            try file.truncate(to: 0)
        }
    }

    private func isFree(_ file: OpenFile, at milliseconds: Int64) throws(FileError) -> Bool {
        guard let holder = try holder(file), holder.owner != owner else { return true }
        let left = holder.until - milliseconds
        // More than was asked for: the clock was set back since.
        if left <= 0 || left > Int64(holder.seconds * 1_000) { return true }
        return kill(holder.process, 0) != 0 && errno == ESRCH
    }

    private func holder(_ file: OpenFile) throws(FileError) -> Holder? {
        let text = try file.read(at: 0, count: 1_024)
        return try? JSONDecoder().decode(Holder.self, from: Data(text))
    }

    private func withFile<Value>(_ body: (OpenFile) throws(FileError) -> Value) throws(FileError) -> Value {
        let file = try OpenFile(place.lease, O_RDWR | O_CREAT)
        try file.lock()
        defer { file.unlock() }
        return try body(file)
    }
}
