import Dialects
import Foundation
import Testing

/// Tests that the description of all routes has those of dialects.
struct DescribedRouteTests {
    @Test func `every path of a dialect is described`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try Data(contentsOf: root.appending(path: "Sources/Server/OpenAPI/openapi.json"))
        let document = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        func shape(_ path: String) -> String { path.replacing(/\{[a-z_]+\}/, with: "{}") }
        let described = Set(
            paths.flatMap { path, operations in operations.keys.map { $0.uppercased() + " " + shape(path) } })
        for route in DialectTable.routes {
            #expect(described.contains("\(route.method) \(shape(route.path))"), "\(route.method) \(route.path)")
        }
    }
}
