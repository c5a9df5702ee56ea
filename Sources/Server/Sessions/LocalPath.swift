/// An address within the dashboard, to go on to after signing in: never one of another site.
struct LocalPath: Sendable, Equatable {
    static let root = LocalPath(trusted: "/")
    static let login = LocalPath(trusted: "/login")

    let text: String

    private init(trusted text: String) {
        self.text = text
    }

    /// Nil unless it is a path, with a query if need be, that every browser takes for one of the same origin: they read
    /// `//host` and `/\host` as another host, and pass over tabs and line feeds.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= 2_048, bytes.dropFirst().first != UInt8(ascii: "/"),
            bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return nil }
        self.text = text
    }
}
