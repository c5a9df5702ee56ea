import Foundation

/// A shared library that this process has loaded.
struct LoadedLibrary: Sendable {
    let name: String
    /// The version as the library itself reports it, or nil if it doesn't or isn't asked.
    let version: String?
    let path: String

    /// Returns all libraries of the process, by name.
    static func all() -> [LoadedLibrary] {
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        return paths(inMaps: maps).map { path in
            let name = (path as NSString).lastPathComponent
            return LoadedLibrary(name: name, version: version(of: name, path), path: path)
        }.sorted { ($0.name, $0.path) < ($1.name, $1.path) }
    }

    /// Returns the files of shared libraries in the text of `/proc/PID/maps`, each once.
    static func paths(inMaps text: String) -> Set<String> {
        Set(
            text.split(separator: "\n").compactMap { line in
                // Address, permissions, offset, device and inode; then the path, which may contain spaces.
                let fields = line.split(separator: " ", maxSplits: 5)
                guard fields.count == 6, fields[5].hasPrefix("/"), fields[5].contains(".so") else { return nil }
                return String(fields[5])
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
        // Such as `libcurl/7.88.1 OpenSSL/3.0.19 ...`.
        case "libcurl":
            text("curl_version", of: path)?.split(separator: " ").first.map {
                String($0).replacing("libcurl/", with: "")
            }
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
