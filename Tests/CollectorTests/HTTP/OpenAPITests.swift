import Foundation
import TestSupport
import Testing

/// Tests the OpenAPI description against the routes and against the rules of OpenAPI.
@Suite struct OpenAPITests {
    private typealias Object = [String: Any]
    private static let methods: Set = ["get", "put", "post", "delete", "patch", "head", "options"]

    private static func document() throws -> Object {
        let file = Program.root.appending(path: "Sources/Server/OpenAPI/openapi.json")
        return try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? Object)
    }

    /// The method and path of each operation, without the names of parameters.
    private static func operations(_ document: Object) -> [(name: String, path: Object, operation: Object)] {
        let paths = document["paths"] as? [String: Object] ?? [:]
        return paths.flatMap { path, item in
            item.compactMap { method, operation in
                guard methods.contains(method), let operation = operation as? Object else { return nil }
                return (method + " " + path.replacing(/\{[a-z_]+\}/, with: "{}"), item, operation)
            }
        }
    }

    /// The routes in the server's sources.
    private static func routes() throws -> Set<String> {
        let folder = Program.root.appending(path: "Sources/Server")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var routes: Set<String> = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /router\.(get|put|post|delete|patch|head)\(\s*"([^"]*)"/) {
                let path = match.2.split(separator: "/").map { $0.hasPrefix(":") ? "{}" : String($0) }
                routes.insert("\(match.1) /" + path.joined(separator: "/"))
            }
        }
        return routes
    }

    @Test func `every route is described`() throws {
        let routes = try Self.routes()
        #expect(routes.count > 20 && routes.contains("get /v1/campaigns/{}"), "\(routes)")
        let described = Set(Self.operations(try Self.document()).map(\.name))
        #expect(routes.subtracting(described) == [])
    }

    @Test func `the collector serves the description`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let response = try await TestClient(url: collector.url).get("/openapi.json", key: nil)
        #expect(response.status == 200 && response.headers["content-type"] == "application/json")
        #expect(try response.json()["openapi"] as? String == "3.1.0")
        await collector.stop()
    }

    @Test func `the description conforms to OpenAPI 3_1`() throws {
        let document = try Self.document()
        #expect(
            Set(document.keys).isSubset(of: ["openapi", "info", "servers", "security", "tags", "paths", "components"]))
        #expect((document["openapi"] as? String)?.hasPrefix("3.1.") == true)
        let info = document["info"] as? Object
        #expect(info?["title"] is String && info?["version"] is String)
        for path in (document["paths"] as? Object ?? [:]).keys { #expect(path.hasPrefix("/")) }
        var ids: Set<String> = []
        let tags = Set((document["tags"] as? [Object] ?? []).compactMap { $0["name"] as? String })
        for (name, path, operation) in Self.operations(document) {
            #expect(ids.insert(operation["operationId"] as? String ?? "").inserted, "\(name)")
            #expect(Set(operation["tags"] as? [String] ?? ["none"]).isSubset(of: tags), "\(name)")
            let responses = operation["responses"] as? [String: Object] ?? [:]
            #expect(responses.keys.contains { $0.hasPrefix("2") || $0.hasPrefix("3") }, "\(name)")
            for (status, response) in responses {
                #expect(status.wholeMatch(of: /[1-5][0-9][0-9]/) != nil, "\(name)")
                #expect(response["$ref"] != nil || response["description"] is String, "\(name) \(status)")
            }
            let parameters = (path["parameters"] as? [Object] ?? []) + (operation["parameters"] as? [Object] ?? [])
            let resolved = parameters.map { Self.resolved($0, document) }
            for parameter in resolved {
                #expect(parameter["name"] is String && parameter["schema"] is Object, "\(name)")
                let place = parameter["in"] as? String ?? ""
                #expect(["query", "path", "header"].contains(place), "\(name)")
                #expect(place != "path" || parameter["required"] as? Bool == true, "\(name)")
            }
            #expect(resolved.count { $0["in"] as? String == "path" } == name.matches(of: /\{\}/).count, "\(name)")
        }
        #expect(ids.count > 20)
    }

    @Test func `every reference has a target, and every component is referenced`() throws {
        let document = try Self.document()
        var references: Set<String> = []
        Self.walk(document) { object in
            if let reference = object["$ref"] as? String { references.insert(reference) }
        }
        for reference in references { #expect(!Self.resolved(["$ref": reference], document).isEmpty, "\(reference)") }
        for (group, members) in document["components"] as? [String: Object] ?? [:] where group != "securitySchemes" {
            for name in members.keys {
                #expect(references.contains("#/components/\(group)/\(name)"), "\(group)/\(name) is not used")
            }
        }
    }

    /// The target of a reference; empty if it does not exist.
    private static func resolved(_ object: Object, _ document: Object) -> Object {
        guard let reference = object["$ref"] as? String else { return object }
        var place: Any? = document
        for part in reference.split(separator: "/").dropFirst() { place = (place as? Object)?[String(part)] }
        return place as? Object ?? [:]
    }

    private static func walk(_ value: Any, _ visit: (Object) -> Void) {
        if let object = value as? Object {
            visit(object)
            for member in object.values { walk(member, visit) }
        } else if let values = value as? [Any] {
            for value in values { walk(value, visit) }
        }
    }
}
