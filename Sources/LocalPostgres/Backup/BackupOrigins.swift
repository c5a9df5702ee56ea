/// The backup directories that a cluster comes from: those that it was backed up to or restored from, and those where
/// backups had gone on from there.
///
/// A restore from any of them needs the devices that were erased since. So each backup notes in the others where backups
/// go now (`BackupDirectory.note`). A directory in which that fails, because its disk is not mounted, stays unnoted, and
/// the next backup tries it again.
///
/// The list is a file in the cluster's directory. Backups have a copy of it, a restore adds to it, and an upgrade keeps it.
struct BackupOrigins: Sendable, Equatable {
    /// The identifier of the database, or nil if the cluster was never backed up or restored.
    var database: String?
    /// The directories that don't say yet where backups go now, and the one that they go to.
    private(set) var unnoted: [String] = []
    /// The directories that say it, and those that an operator has given up.
    private(set) var noted: [String] = []

    var all: [String] { self.unnoted + self.noted }

    init() {}

    /// Reads the list of a cluster, which is empty if it has no such file.
    ///
    /// The file belongs to the server's user, who can write anything there.
    static func recorded(in layout: ClusterLayout) -> BackupOrigins {
        let text = (try? PrivateFiles.text(of: layout.originsFile)) ?? ""
        var origins = BackupOrigins()
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
                .map { String(decoding: $0, as: UTF8.self) }
            guard words.count == 2 else { continue }
            switch words[0] {
            case "database": origins.database = words[1]
            case "unnoted": origins.add(words[1])
            case "noted": origins.addNoted(words[1])
            default: break
            }
        }
        return origins
    }

    /// Reads the list of a cluster, and adds the directory of its archive.
    static func read(_ layout: ClusterLayout) -> BackupOrigins {
        var origins = Self.recorded(in: layout)
        if let directory = WALArchive.named(inScript: layout.archiveScript)?.directory {
            origins.database = origins.database ?? directory.database
            origins.add(directory.path)
        }
        return origins
    }

    func write(to place: ClusterLocation) throws(LocalClusterError) {
        let database = self.database.map { ["database \($0)"] } ?? []
        let lines = database + self.unnoted.map { "unnoted \($0)" } + self.noted.map { "noted \($0)" }
        try place.files.write(lines.map { $0 + "\n" }.joined(), to: place.layout.originsFile)
        try place.files.sync(place.layout.cluster)
    }

    /// Adds a directory that doesn't say where backups go.
    mutating func add(_ path: String) {
        guard BackupDirectory.isPlain(path), !self.unnoted.contains(path) else { return }
        self.noted.removeAll { $0 == path }
        self.unnoted.append(path)
    }

    /// Adds the directories of another list of the same database.
    mutating func add(_ other: BackupOrigins) {
        guard other.database == self.database else { return }
        for path in other.unnoted { self.add(path) }
        for path in other.noted { self.addNoted(path) }
    }

    /// Marks a directory as one that says where backups go, or that an operator has given up.
    mutating func markNoted(_ path: String) {
        self.unnoted.removeAll { $0 == path }
        self.addNoted(path)
    }

    private mutating func addNoted(_ path: String) {
        guard BackupDirectory.isPlain(path), !self.all.contains(path) else { return }
        self.noted.append(path)
    }
}
