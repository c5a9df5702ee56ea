import AfterpushWire
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A random device id for an app that has none of its own.
///
/// All processes of the app share it. It is deleted with the app, with its data, and when the person opts out.
struct InstallationID: Sendable {
    let location: QueueLocation

    /// Returns the id, and creates it on first use.
    func value() throws(RecordError) -> String {
        do throws(FileError) {
            if let id = stored { return id }
            if isForeign { try location.clear(location.installationID) }
            try location.prepare()
            let draft = location.installationID + "." + UUID().uuidString
            let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_EXCL)
            defer { unlink(draft) }
            try file.write(Array(UUID().uuidString.lowercased().utf8), at: 0)
            try file.synchronize()
            // Unlike a rename, a link doesn't replace an id that another process has created meanwhile.
            if link(draft, location.installationID) != 0, errno != EEXIST { throw FileError() }
            guard let id = stored else { throw FileError.notFound }
            return id
        } catch {
            throw RecordError(error)
        }
    }

    /// Whether something that this library did not write has the file's name.
    ///
    /// A file that can't be read now, as on a locked phone, does not count, because it may hold the id.
    private var isForeign: Bool {
        guard let status = location.status(of: location.installationID) else { return false }
        // A file has the whole id before it has the name.
        guard status.isRegular, status.size == 36 else { return true }
        guard let bytes = location.contents(of: location.installationID, limit: 36) else { return false }
        return UUID(uuidString: String(decoding: bytes, as: UTF8.self)) == nil
    }

    private var stored: String? {
        guard let bytes = location.contents(of: location.installationID, limit: 36) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return UUID(uuidString: text) == nil ? nil : text
    }
}
