import Foundation
import Glibc

/// The directory of one unbroken history of a cluster: its base backups, and the write-ahead log (WAL) since the first.
///
/// A cluster begins a new one with its first backup, its first backup after a restore, and its first backup after an
/// upgrade. So the log of one history never meets the files of another, whose names are the same.
struct WALArchive: Sendable, Equatable {
    let path: String

    var wal: String { self.path + "/wal" }
    var backups: String { self.path + "/base" }
    /// The directory of backups that it is in.
    var directory: BackupDirectory { BackupDirectory(path: self.path + "/../..") }

    private static let suffix = ".gz"

    /// The archived segments, in order.
    func segments() -> [WALSegment] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: self.wal)) ?? []
        return names.filter { $0.hasSuffix(Self.suffix) }.compactMap {
            WALSegment(name: $0.dropLast(Self.suffix.count))
        }
        .sorted()
    }

    func file(of segment: WALSegment) -> String { "\(self.wal)/\(segment.name)\(Self.suffix)" }

    func contains(_ segment: WALSegment) -> Bool {
        FileManager.default.fileExists(atPath: self.file(of: segment))
    }

    /// Removes the segments before one that every remaining backup begins at or after.
    func removeSegments(before first: WALSegment, _ files: PrivateFiles) throws(LocalClusterError) {
        for segment in self.segments() where segment.number < first.number {
            try files.unlink(self.file(of: segment))
        }
    }

    /// The script that the server runs for each complete file of the log: `archive_command`.
    ///
    /// It is in the data directory, so that it belongs to this cluster and not to one that replaces it. The server keeps
    /// a file until the script has succeeded. The file gets its name when it is on the disk, and a name is never given
    /// twice: a second file of the same name is accepted if it is equal, as after a crash, and else refused.
    var archiveScript: String {
        """
        #!/bin/sh
        # Written by afterpush backup: keeps a file of the write-ahead log in the archive.
        directory=\(Self.quoted(self.path))
        set -eu
        umask 077
        target="$directory/wal/$2.gz"
        part="$directory/wal/.$2.$$.part"
        trap 'rm -f "$part"' EXIT
        if [ ! -e "$target" ]; then
            gzip -1 -n -c <"$1" >"$part"
            sync "$part"
            ln -T "$part" "$target" 2>/dev/null || [ -e "$target" ]
        fi
        gzip -d -c <"$target" | cmp -s - "$1" || {
            echo "$target exists, and is not $1" >&2
            exit 1
        }
        sync "$target" "$directory/wal"

        """
    }

    /// The script that the server runs until the first backup in another archive is complete: it keeps each file in both.
    ///
    /// It calls the script of each, in files beside it. The former archive, which it names as the server's, may be the one
    /// that fails.
    var movingScript: String {
        """
        #!/bin/sh
        # Written by afterpush backup, whose first backup in another archive is not complete.
        directory=\(Self.quoted(self.path))
        sh "$0\(Self.formerSuffix)" "$1" "$2" || echo "$1 is only in the new archive" >&2
        exec sh "$0\(Self.nextSuffix)" "$1" "$2"

        """
    }

    /// The suffixes of the scripts that `movingScript` calls.
    static let formerSuffix = ".former"
    static let nextSuffix = ".next"

    /// The script that the server runs for each file that it needs in a recovery: `restore_command`.
    ///
    /// A code above 125 ends the recovery. A damaged file must not look like the end of the log.
    var restoreScript: String {
        """
        #!/bin/sh
        # Written by afterpush restore: fetches a file of the write-ahead log from the archive.
        directory=\(Self.quoted(self.path))
        [ -x "$directory/wal" ] || exit 200
        [ -e "$directory/wal/$1.gz" ] || exit 1
        gzip -d -c <"$directory/wal/$1.gz" >"$2" || {
            if gzip -t <"$directory/wal/$1.gz"; then
                echo "no room for $2" >&2
                exit 202
            fi
            echo "$directory/wal/$1.gz is damaged" >&2
            exit 201
        }

        """
    }

    /// Returns the archive that an archive script writes to, or nil if it names none in a directory of backups.
    ///
    /// The script belongs to the server's user, who can name any path: root must use it with the rights of that user.
    static func named(inScript path: String) -> WALArchive? {
        guard let text = try? PrivateFiles.text(of: path, limit: 65_536),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("directory='") }), line.hasSuffix("'")
        else { return nil }
        let quoted = line.dropFirst("directory='".count).dropLast()
        let archive = String(quoted).replacing("'\\''", with: "'")
        // As `afterpush backup` wrote it: DIRECTORY/archives/MOMENT, without links.
        let parts = archive.utf8.split(separator: UInt8(ascii: "/"))
        guard BackupDirectory.isPlain(archive), parts.count > 2, parts[parts.count - 2].elementsEqual("archives".utf8)
        else { return nil }
        return WALArchive(path: archive)
    }

    private static func quoted(_ path: String) -> String { "'\(path.replacing("'", with: "'\\''"))'" }
}
