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
            let hasFile = location.status(of: location.installationID) != nil
            if let id = stored { return id }
            // A file has the whole id before it has the name, so this library did not write what is there.
            if hasFile { try location.clear(location.installationID) }
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

    private var stored: String? {
        guard let bytes = location.contents(of: location.installationID, limit: 36) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return UUID(uuidString: text) == nil ? nil : text
    }
}
