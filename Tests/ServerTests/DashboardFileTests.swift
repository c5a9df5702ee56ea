import DashboardFiles
import Foundation
import Testing

@testable import Server

@Suite struct DashboardFileTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "dashboards/web")
    private static let files = [DashboardFiles.page, DashboardFiles.login] + DashboardFiles.assets

    @Test func `every file of the folder is in the program unchanged`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Self.files.map(\.name).sorted() == names.sorted())
        for file in Self.files {
            #expect(Data(file.bytes) == (try Data(contentsOf: Self.folder.appending(path: file.name))), "\(file.name)")
        }
    }

    @Test func `no file needs another host or anything that the content security policy forbids`() {
        for file in Self.files {
            let text = String(decoding: file.bytes, as: UTF8.self)
            for forbidden in [
                " style=\"", " onclick=", " onload=", "<style", "javascript:", "innerHTML", "outerHTML",
                "insertAdjacentHTML", "document.write", "eval(", "new Function",
            ] { #expect(!text.contains(forbidden), "\(file.name) has \(forbidden)") }
            let hosts = text.matches(of: /https?:\/\/([a-z0-9.\-]+)/).map { String($0.1) }
            #expect(hosts.allSatisfy { $0 == "www.w3.org" }, "\(file.name): \(hosts)")
        }
    }

    @Test func `every imported module exists`() {
        let names = Set(DashboardFiles.assets.map(\.name))
        for file in Self.files {
            let text = String(decoding: file.bytes, as: UTF8.self)
            for match in text.matches(of: /from "\.\/([^"]+)"|"\/assets\/([^"]+)"/) {
                let name = String(match.1 ?? match.2 ?? "")
                #expect(names.contains(name) || name == AssetCatalog.charts, "\(file.name) asks for \(name)")
            }
        }
    }
}
