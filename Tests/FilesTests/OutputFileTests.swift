import Files
import Foundation
import Testing

/// Tests which files commands write, and who can read them.
@Suite struct OutputFileTests {
    /// A new directory, in which `other` is a file of somebody else and `link` a symbolic link to it.
    private final class Directory {
        let path = FileManager.default.temporaryDirectory.path + "/afterpush-files-\(UUID().uuidString.prefix(8))"
        var other: String { path + "/other" }
        var link: String { path + "/link" }

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data("other".utf8).write(to: URL(filePath: other))
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other)
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }

        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }

        func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
    }

    private func write(_ text: String, to file: OutputFile) throws {
        try file.write(Array(text.utf8))
        try file.close()
    }

    @Test func `only its owner can read a new file, and an existing one keeps its permissions`() throws {
        let directory = try Directory()
        let new = directory.path + "/new"
        try write("new", to: OutputFile(path: new))
        #expect(try directory.mode(new) == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: new)
        try write("again", to: OutputFile(path: new))
        #expect(try directory.mode(new) == 0o644 && directory.text(new) == "again")
        try write("!", to: OutputFile(path: new, keeping: 3))
        #expect(try directory.text(new) == "aga!")
    }

    @Test(.enabled(if: geteuid() == 0, "NOT RUN: needs root, who can give files away"))
    func `a file or a pipe of another user is refused, and doesn't decide who can read a report`() throws {
        let directory = try Directory()
        let pipe = directory.path + "/pipe"
        #expect(mkfifo(pipe, 0o666) == 0)
        for path in [directory.other, pipe] {
            #expect(chown(path, 65_534, 65_534) == 0)
            let error = #expect(throws: OutputFile.Failed.self) { try OutputFile(path: path) }
            #expect(error?.description.contains("it belongs to another user") == true)
        }
        #expect(try directory.text(directory.other) == "other")
        #expect(chmod(directory.other, 0o666) == 0)
        let report = try OutputFile(publishing: directory.other)
        try report.write(Array("report".utf8))
        try report.publish()
        #expect(try directory.text(directory.other) == "report" && directory.mode(directory.other) == 0o600)
    }

    @Test func `a symbolic link is refused, and its target stays as it is`() throws {
        let directory = try Directory()
        let error = #expect(throws: OutputFile.Failed.self) { try OutputFile(path: directory.link) }
        #expect(error?.description == "\(directory.link) can't be written: it is a symbolic link")
        #expect(throws: OutputFile.Failed.self) { try OutputFile(path: directory.link, keeping: 0) }
        #expect(try directory.text(directory.other) == "other")
    }

    @Test func `only the links in /dev to the program's own descriptors are followed`() throws {
        let directory = try Directory()
        let link = "/dev/shm/afterpush-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.other)
        defer { try? FileManager.default.removeItem(atPath: link) }
        #expect(throws: OutputFile.Failed.self) { try OutputFile(path: link) }
        #expect(throws: OutputFile.Failed.self) { try OutputFile(path: "/dev/../\(directory.link)") }
        #expect(try directory.text(directory.other) == "other")
    }

    @Test func `a file that the program names replaces a link or file in its place`() throws {
        let directory = try Directory()
        try write("rejected", to: OutputFile(replacing: directory.link))
        #expect(try directory.text(directory.link) == "rejected" && directory.mode(directory.link) == 0o600)
        #expect(try directory.text(directory.other) == "other")
        try write("rejected", to: OutputFile(replacing: directory.other))
        #expect(try directory.text(directory.other) == "rejected" && directory.mode(directory.other) == 0o600)
        #expect(throws: OutputFile.Failed.self) { try OutputFile(replacing: directory.path) }
    }

    @Test func `a published file has the permissions of the one that it replaces`() throws {
        let directory = try Directory()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: directory.other)
        for (name, mode) in [(directory.other, 0o640), (directory.path + "/new", 0o600), (directory.link, 0o600)] {
            let file = try OutputFile(publishing: name)
            try file.write(Array("report".utf8))
            try file.publish()
            #expect(try directory.text(name) == "report" && directory.mode(name) == mode)
        }
        try OutputFile(publishing: directory.path + "/none").discard()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["link", "new", "other"])
        let error = #expect(throws: OutputFile.Failed.self) { try OutputFile(publishing: "/nowhere/report") }
        #expect(error?.description == "/nowhere/report can't be written: No such file or directory")
    }

    @Test func `devices can be written to, and a full one is reported`() throws {
        try write("lost", to: OutputFile(path: "/dev/null"))
        let full = try OutputFile(path: "/dev/full")
        let error = #expect(throws: OutputFile.Failed.self) { try full.write([1]) }
        #expect(error?.description.hasPrefix("/dev/full can't be written: No space left") == true)
    }
}
