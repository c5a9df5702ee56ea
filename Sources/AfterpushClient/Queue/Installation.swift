import AfterpushWire
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A random id for an app that has none for its devices: the same in all its processes, gone with the app or its data.
struct Installation: Sendable {
    let place: QueueLocation

    func id() throws(RecordError) -> String {
        do throws(FileError) {
            if let id = known { return id }
            try place.prepare()
            let draft = place.device + "." + UUID().uuidString
            let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_EXCL)
            defer { unlink(draft) }
            try file.write(Array(UUID().uuidString.lowercased().utf8), at: 0)
            try file.synchronize()
            // Unlike a rename, a link leaves what another process has put there meanwhile.
            if link(draft, place.device) != 0, errno != EEXIST { throw FileError() }
            guard let id = known else { throw FileError.notFound }
            return id
        } catch {
            throw RecordError(error)
        }
    }

    private var known: String? {
        FileManager.default.contents(atPath: place.device)
            .flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
    }
}
