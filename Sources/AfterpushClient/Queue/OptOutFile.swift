#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A person's decision to record nothing: the file `opted-out` in the queue's directory.
///
/// Emptying the queue and removing the file require the file's lock. Otherwise a process that is still emptying the
/// queue would remove events that were recorded after another process had opted in.
struct OptOutFile: Sendable {
    let location: QueueLocation
    /// The number of times that the decision is stored if another process opts in before the queue is empty.
    private static let attempts = 100

    /// Stores the decision, then empties the queue.
    func optOut() throws(FileError) {
        try location.prepare()
        for _ in 0..<Self.attempts {
            try createFile()
            guard try emptyQueue() else { continue }
            return location.synchronize()
        }
        throw FileError(code: EAGAIN)
    }

    /// Empties the queue of what a process left that was killed while it opted out, then removes the decision.
    func optIn() throws(FileError) {
        _ = try emptyQueue { () throws(FileError) in
            try location.clear(location.optOut)
        }
        location.synchronize()
    }

    private func createFile() throws(FileError) {
        do throws(FileError) {
            if location.isOptedOut { return }
            _ = try OpenFile(location.optOut, O_WRONLY | O_CREAT | O_TRUNC)
        } catch {
            // A full disk has no room for another file, and removing a file that a process has open frees none. So a
            // segment is renamed. If there is no segment, removing the queue's other files makes room.
            if location.segments().contains(where: renameToFile) { return }
            removeAll()
            _ = try OpenFile(location.optOut, O_WRONLY | O_CREAT | O_TRUNC)
        }
    }

    /// Renames a segment to `opted-out`, under the segment's lock, so that its writer notices. Returns false on failure.
    private func renameToFile(_ segment: String) -> Bool {
        guard let file = lockedFile(of: segment) else { return false }
        defer { file.unlock() }
        guard rename(location.events(segment), location.optOut) == 0 else { return false }
        try? file.truncate(to: 0)
        unlink(location.acknowledged(segment))
        return true
    }

    /// Empties the queue and calls `body`, if the person has opted out.
    ///
    /// - Returns: False if the person has not opted out, or has opted in meanwhile.
    func emptyQueue(then body: () throws(FileError) -> Void = {}) throws(FileError) -> Bool {
        guard location.isOptedOut else { return false }
        let file: OpenFile
        do throws(FileError) {
            file = try OpenFile(location.optOut, O_RDONLY)
        } catch {
            guard let status = location.status(of: location.optOut) else { return false }
            if status.isRegular { throw error }
            file = try replaceWithFile()
        }
        try file.lock()
        defer { file.unlock() }
        guard try file.state().isLinked else { return false }
        removeAll()
        try body()
        return true
    }

    /// Puts a file in the place of whatever else has the name of the decision.
    ///
    /// Only if that is a directory, there is a moment in which nothing has the name.
    private func replaceWithFile() throws(FileError) -> OpenFile {
        let draft = location.optOut + ".draft"
        let file = try location.openReplacing(draft, O_RDWR | O_CREAT)
        guard rename(draft, location.optOut) != 0 else { return file }
        // Another error can mean that another process has renamed the draft. Then its file must stay.
        guard errno == EISDIR else { throw FileError() }
        try location.clear(location.optOut)
        guard rename(draft, location.optOut) == 0 else { throw FileError() }
        return file
    }

    private func removeAll() {
        location.forEachSegment { segment in
            guard let file = lockedFile(of: segment) else {
                // Its writer doesn't release it. It will find that the segment has lost its name.
                unlink(location.events(segment))
                unlink(location.acknowledged(segment))
                return true
            }
            location.remove(segment, file)
            file.unlock()
            return true
        }
        for file in [location.dropCounts, location.installationID] { try? location.clear(file) }
    }

    private func lockedFile(of segment: String) -> OpenFile? {
        guard let file = try? OpenFile(location.events(segment), O_RDWR), (try? file.lock()) != nil else { return nil }
        return file
    }
}
