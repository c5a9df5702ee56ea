import Foundation

/// A shared library that this process has loaded.
struct LoadedLibrary: Sendable {
    let name: String
    /// The version as the library itself reports it, or nil if it doesn't or isn't asked.
    let version: String?
    let file: String

    /// Returns all libraries of the process, by name.
    static func all() -> [LoadedLibrary] {
        paths(inMaps: contents(of: "/proc/self/maps")).map { path in
            let name = (path as NSString).lastPathComponent
            return LoadedLibrary(name: name, version: version(of: name, path), file: path)
        }.sorted { ($0.name, $0.file) < ($1.name, $1.file) }
    }

    /// Reads a file of the kernel, which gives only a page at a time. Foundation stops after the first one.
    private static func contents(of path: String) -> String {
        var text: [UInt8] = []
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var page = [UInt8](repeating: 0, count: 64 * 1_024)
        while case let count = read(descriptor, &page, page.count), count > 0 { text += page.prefix(count) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the files of shared libraries in the text of `/proc/PID/maps`, each once.
    private static func paths(inMaps text: String) -> Set<String> {
        Set(
            text.split(separator: "\n").compactMap { line in
                // Before the path are addresses, permissions, numbers and spaces.
                guard let start = line.firstIndex(of: "/"), line[start...].contains(".so") else { return nil }
                return String(line[start...])
            })
    }

    private typealias TextFunction = @convention(c) () -> UnsafePointer<CChar>?
    private typealias NumberFunction = @convention(c) () -> CInt
    private typealias KindFunction = @convention(c) (CInt) -> UnsafePointer<CChar>?

    /// Asks a library for its version. Those that aren't known here have no common way to be asked.
    private static func version(of name: String, _ path: String) -> String? {
        switch name.prefix(while: { $0 != "." && $0 != "-" }) {
        case "libpq":
            function("PQlibVersion", of: path, as: NumberFunction.self).map { "\($0() / 10_000).\($0() % 10_000)" }
        case "libsqlite3": text("sqlite3_libversion", of: path)
        case "libz": text("zlibVersion", of: path)
        case "libc": text("gnu_get_libc_version", of: path)
        // 6 is OPENSSL_VERSION_STRING.
        case "libcrypto": function("OpenSSL_version", of: path, as: KindFunction.self)?(6).map { String(cString: $0) }
        default: nil
        }
    }

    private static func text(_ symbol: String, of path: String) -> String? {
        function(symbol, of: path, as: TextFunction.self)?().map { String(cString: $0) }
    }

    private static func function<F>(_ symbol: String, of path: String, as type: F.Type) -> F? {
        guard let library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD), let address = dlsym(library, symbol) else {
            return nil
        }
        return unsafeBitCast(address, to: type)
    }
}
