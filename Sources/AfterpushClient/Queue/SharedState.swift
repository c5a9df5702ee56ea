import Foundation
import Zlib

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The small values that the processes of an app share, each in a file.
struct SharedState: Sendable {
    let location: QueueLocation

    enum Name: String, CaseIterable {
        /// A checksum of the last device token.
        case token
        /// Whether notifications were allowed at the last check.
        case permission
    }

    /// Stores a value and returns whether it differs from the stored one.
    func update(_ name: Name, to text: String) -> Bool {
        guard !location.isOptedOut else { return false }
        let path = path(of: name)
        let stored = location.contents(of: path, limit: 64).map { String(decoding: $0, as: UTF8.self) }
        guard stored != text else { return false }
        try? location.prepare()
        // If the value can't be stored, the change is recorded once more.
        try? Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        return true
    }

    func removeAll() {
        for name in Name.allCases { unlink(path(of: name)) }
        location.forEachName(endingWith: Self.forwarded) { unlink("\(location.path)/\($0)\(Self.forwarded)") }
    }

    private func path(of name: Name) -> String { "\(location.path)/\(name.rawValue)" }

    // MARK: Forwarded responses

    private static let forwarded = ".forwarded"
    /// The seconds within which the app receives a response that its extension forwards.
    private static let forwardingSeconds = 60.0
    /// The most bytes of a note: a notification's and an action's identifier fit into a payload of 4 KiB.
    private static let longestNote = 16 * 1024

    /// Notes that an extension has recorded a response which it forwards to the app.
    func markForwarded(_ response: String) {
        guard !location.isOptedOut else { return }
        try? location.prepare()
        removeExpiredNotes()
        // Without the note, the app records the response a second time.
        try? Data(response.utf8).write(to: URL(fileURLWithPath: notePath(response)), options: .atomic)
    }

    /// Returns whether an extension has recorded and forwarded a response, and removes its note.
    func consumeForwarded(_ response: String) -> Bool {
        let path = notePath(response)
        guard let text = location.contents(of: path, limit: Self.longestNote), text.elementsEqual(response.utf8) else {
            return false
        }
        let isRecent = isRecent(path)
        // Only one process succeeds in removing it.
        return unlink(path) == 0 && isRecent
    }

    /// Removes notes of responses that never arrived in the app.
    private func removeExpiredNotes() {
        location.forEachName(endingWith: Self.forwarded) { note in
            let path = "\(location.path)/\(note)\(Self.forwarded)"
            if !isRecent(path) { unlink(path) }
        }
    }

    private func isRecent(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let age = (attributes?[.modificationDate] as? Date).map { -$0.timeIntervalSinceNow } ?? 0
        // A note from the future would never expire.
        return abs(age) < Self.forwardingSeconds
    }

    private func notePath(_ response: String) -> String {
        let checksum = Gzip.checksum(Array(response.utf8)[...])
        return "\(location.path)/\(String(checksum, radix: 16))\(Self.forwarded)"
    }
}
