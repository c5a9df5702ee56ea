/// The files of this folder that the collector serves.
package enum ClientFiles {
    /// What browsers load into a service worker: without indentation, and without comments of their own line, which people
    /// read in the source.
    package static let script: String = {
        String(decoding: PackageResources.afterpush_js, as: UTF8.self)
            .split(separator: "\n")
            .map { $0.drop { $0 == " " } }
            .filter { !$0.hasPrefix("//") }
            .joined(separator: "\n") + "\n"
    }()
}
