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

    /// Stores the decision, then empties the queue.
    func optOut() throws(FileError) {
        try location.prepare()
        // Another process may opt in before the queue is empty.
        repeat { try createFile() } while try !emptyQueue()
        location.synchronize()
    }

    /// Empties the queue of what a process left that was killed while it opted out, then removes the decision.
    func optIn() throws(FileError) {
        _ = try emptyQueue { () throws(FileError) in
            guard unlink(location.optOut) == 0 || errno == ENOENT else { throw FileError() }
        }
        location.synchronize()
    }

    private func createFile() throws(FileError) {
        do throws(FileError) {
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
            if error == .notFound { return false }
            throw error
        }
        try file.lock()
        defer { file.unlock() }
        guard try file.state().isLinked else { return false }
        removeAll()
        try body()
        return true
    }

    private func removeAll() {
        for segment in location.segments() {
            guard let file = lockedFile(of: segment) else { continue }
            location.remove(segment, file)
            file.unlock()
        }
        for file in [location.dropCounts, location.installationID] { unlink(file) }
    }

    private func lockedFile(of segment: String) -> OpenFile? {
        guard let file = try? OpenFile(location.events(segment), O_RDWR), (try? file.lock()) != nil else { return nil }
        return file
    }
}
