/// The client files that the collector serves.
package enum ClientFiles {
    /// The script for service workers, without indentation and full-line comments to keep it small.
    package static let script: String = {
        PackageText.afterpush_js
            .split(separator: "\n")
            .map { $0.drop { $0 == " " } }
            .filter { !$0.hasPrefix("//") }
            .joined(separator: "\n") + "\n"
    }()
}
