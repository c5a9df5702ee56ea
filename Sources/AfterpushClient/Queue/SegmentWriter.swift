import AfterpushWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A writer that appends to segments of its own.
///
/// Each append holds the segment's lock and checks that the segment still has a name. Segments are removed under the same
/// lock, so nothing is ever written to a file that was removed.
final class SegmentWriter: Sendable {
    /// The size in bytes at which the writer begins the next segment.
    static let segmentBytes = 128 * 1024

    private struct State {
        var file: OpenFile?
        var length = 0
    }

    private let location: QueueLocation
    private let state = Locked(State())
    /// The number of segments that are tried before recording fails.
    private static let attempts = 4

    enum Outcome {
        case appended
        /// The event was appended to a new segment, because the last one was full. The queue may be too large now.
        case appendedToNext
        /// The event was not appended, because the person has opted out.
        case optedOut
    }

    init(_ location: QueueLocation) {
        self.location = location
    }

    /// Appends a frame and returns when it is on disk. After an error nothing of it is left, if the disk permits.
    func append(_ frame: [UInt8], at time: Timestamp) throws(FileError) -> Outcome {
        try state.withLock { state throws(FileError) in
            let isFull = state.length >= Self.segmentBytes
            if isFull { state.file = nil }
            var failure = FileError.notFound
            for _ in 0..<Self.attempts {
                let file = try current(&state, at: time)
                do throws(FileError) {
                    try file.lock()
                } catch {
                    // Another process doesn't release it. The next segment is this writer's alone.
                    failure = error
                    state.file = nil
                    continue
                }
                defer { file.unlock() }
                // Checked under the lock, because opting out removes segments under their locks. Checked before the name,
                // because on a full disk opting out renames a segment, and opting in then removes that name.
                if location.isOptedOut { return .optedOut }
                guard try file.state().isLinked else {
                    state.file = nil
                    continue
                }
                try write(frame, to: file, &state)
                return isFull ? .appendedToNext : .appended
            }
            throw failure
        }
    }

    private func write(_ frame: [UInt8], to file: OpenFile, _ state: inout State) throws(FileError) {
        do throws(FileError) {
            try file.write(frame, at: state.length)
            try file.synchronize()
            state.length += frame.count
        } catch {
            let isWhole = (try? file.truncate(to: state.length)) != nil
            // Unless the disk was only full, what it has of the frame is unknown.
            if !isWhole || !error.isFull { state.file = nil }
            throw error
        }
    }

    private func current(_ state: inout State, at time: Timestamp) throws(FileError) -> OpenFile {
        if let file = state.file { return file }
        try location.prepare()
        let name = location.newName(at: time)
        let file = try OpenFile(location.events(name), O_RDWR | O_CREAT | O_EXCL)
        location.synchronize()
        state.file = file
        state.length = 0
        return file
    }
}
