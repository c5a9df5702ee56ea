import Foundation
import Testing

@testable import Events
@testable import Storage

@Suite struct SuppressionFileTests {
    private let directory = NSTemporaryDirectory() + "suppression-\(UUID().uuidString)"
    private let key = DeviceKey(Array(0..<32))

    init() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    private var file: SuppressionFile { SuppressionFile(directory: directory, owner: "x") }
    private var path: URL { URL(filePath: directory + "/suppressed-x.list") }

    private func entry(_ device: String, app: String = "shop \u{1F6D2}\n") -> SuppressionFile.Entry {
        SuppressionFile.Entry(app: app, key: key, hash: key.hash(of: device))
    }

    @Test func `an added entry is found once, and only the owner can read the file`() throws {
        #expect(try file.entries() == [])
        try file.add([entry("a"), entry("b")])
        try file.add([entry("b"), entry("c"), entry("a", app: "other")])
        #expect(try file.entries() == [entry("a"), entry("b"), entry("c"), entry("a", app: "other")])
        #expect(try String(contentsOf: path, encoding: .utf8).split(separator: "\n").count == 4)
        let mode = try FileManager.default.attributesOfItem(atPath: path.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test func `a truncated line costs no other, wherever it was cut`() throws {
        try file.add([entry("a"), entry("b")])
        let whole = try Data(contentsOf: path)
        for length in whole.indices {
            try whole.prefix(length).write(to: path)
            try file.add([entry("c")])
            let found = try file.entries()
            #expect(found.contains(entry("c")), "\(length)")
            #expect(found.subtracting([entry("a"), entry("b"), entry("c")]) == [], "\(length)")
            try file.add([entry("a"), entry("b")])
            #expect(try file.entries() == [entry("a"), entry("b"), entry("c")], "\(length)")
        }
        try FileManager.default.removeItem(atPath: directory)
    }
}
