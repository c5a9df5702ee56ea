import AfterpushWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Appends to segments that nobody else appends to.
///
/// Each append holds the segment's lock and looks whether it still has a name: whoever removes a segment does so under
/// the same lock, so nothing is ever written to a file that is gone.
final class SegmentWriter: Sendable {
    /// Bytes after which the next segment begins.
    static let segmentBytes = 128 * 1024

    private struct State {
        var file: OpenFile?
        var length = 0
    }

    private let place: QueueLocation
    private let state = Locked(State())

    enum Outcome {
        case appended
        /// And a segment was full, so that there is more than before.
        case appendedToNext
        /// Nothing may be recorded.
        case optedOut
    }

    init(_ place: QueueLocation) {
        self.place = place
    }

    /// Returns when the frame is on the disk. After an error nothing of it is left, if the disk allows.
    func append(_ frame: [UInt8], at time: Timestamp) throws(FileError) -> Outcome {
        try state.withLock { state throws(FileError) in
            let isFull = state.length >= Self.segmentBytes
            if isFull { state.file = nil }
            while true {
                let file = try current(&state, at: time)
                try file.lock()
                defer { file.unlock() }
                // Under the lock: opting out removes what was written before it, and is seen by what comes after. Before
                // the name: opting in takes it from a segment that became the word for opting out, without its lock.
                if place.isOptedOut { return .optedOut }
                guard try file.state().isLinked else {
                    state.file = nil
                    continue
                }
                try write(frame, to: file, &state)
                return isFull ? .appendedToNext : .appended
            }
        }
    }

    private func write(_ frame: [UInt8], to file: OpenFile, _ state: inout State) throws(FileError) {
        do throws(FileError) {
            try file.write(frame, at: state.length)
            try file.synchronize()
            state.length += frame.count
        } catch {
            let isWhole = (try? file.truncate(to: state.length)) != nil
            // What the disk holds of it is unknown, unless it was only full.
            if !isWhole || !error.isFull { state.file = nil }
            throw error
        }
    }

    private func current(_ state: inout State, at time: Timestamp) throws(FileError) -> OpenFile {
        if let file = state.file { return file }
        try place.prepare()
        let name = place.newName(at: time)
        let file = try OpenFile(place.events(name), O_RDWR | O_CREAT | O_EXCL)
        place.synchronize()
        state.file = file
        state.length = 0
        return file
    }
}
