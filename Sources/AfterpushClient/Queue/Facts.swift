import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Small things that the processes of an app remember for each other, each in a file.
struct Facts: Sendable {
    let place: QueueLocation

    enum Name: String, CaseIterable {
        /// A checksum of the last token.
        case token
        /// Whether notifications were allowed when that was last asked.
        case permission
    }

    /// Whether a fact is another than it was; from now on it is this one.
    func changes(_ name: Name, to text: String) -> Bool {
        guard !place.isOptedOut else { return false }
        let path = file(name)
        let known = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        guard known != text else { return false }
        try? place.prepare()
        // A fact that can't be kept is told again.
        try? Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        return true
    }

    func forget() {
        for name in Name.allCases { unlink(file(name)) }
        for note in place.names(endingWith: Self.forwarded) { unlink("\(place.path)/\(note)\(Self.forwarded)") }
    }

    private func file(_ name: Name) -> String { "\(place.path)/\(name.rawValue)" }

    // MARK: Responses that an extension forwarded

    private static let forwarded = ".forwarded"
    /// Seconds in which the app gets a response that its extension forwards.
    private static let patience = 60.0

    /// Notes that a response was recorded by the extension that forwards it.
    func noteForwarding(of response: String) {
        guard !place.isOptedOut else { return }
        try? place.prepare()
        forgetOldNotes()
        // Without the note the app records it a second time.
        try? Data(response.utf8).write(to: URL(fileURLWithPath: note(response)), options: .atomic)
    }

    /// Whether an extension has recorded and forwarded a response. It did so once.
    func takeForwarding(of response: String) -> Bool {
        let path = note(response)
        guard let text = FileManager.default.contents(atPath: path), text.elementsEqual(response.utf8) else {
            return false
        }
        let isFresh = isFresh(path)
        // Only one process can unlink it.
        return unlink(path) == 0 && isFresh
    }

    /// Notes of responses that never got to the app.
    private func forgetOldNotes() {
        for note in place.names(endingWith: Self.forwarded) {
            let path = "\(place.path)/\(note)\(Self.forwarded)"
            if !isFresh(path) { unlink(path) }
        }
    }

    private func isFresh(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let age = (attributes?[.modificationDate] as? Date).map { -$0.timeIntervalSinceNow } ?? 0
        return age < Self.patience
    }

    private func note(_ response: String) -> String {
        let checksum = Compression.checksum(Array(response.utf8)[...])
        return "\(place.path)/\(String(checksum, radix: 16))\(Self.forwarded)"
    }
}
