import Foundation
import TestSupport

/// A dashboard file in `dashboards/grafana`.
struct GrafanaDashboard: Decodable {
    struct Templating: Decodable {
        let list: [Variable]
    }

    struct Variable: Decodable {
        let name: String
        let type: String
        let query: String
    }

    struct Panel: Decodable {
        struct Target: Decodable {
            let rawSql: String
        }

        let title: String
        let targets: [Target]
    }

    let uid: String
    let templating: Templating
    let panels: [Panel]

    static let folder = Program.root.appending(path: "dashboards/grafana")
    static let names = ["overview", "campaign", "category", "health"]

    init(named name: String) throws {
        let file = Self.folder.appending(path: "dashboards/\(name).json")
        self = try JSONDecoder().decode(Self.self, from: try Data(contentsOf: file))
    }
}

/// The values that Grafana inserts into SQL.
struct GrafanaValues {
    let from: String
    let to: String
    var variables: [String: String] = [:]

    func filled(_ sql: String) throws -> String {
        var text = sql.replacing("$__timeFrom()", with: "'\(from)'").replacing("$__timeTo()", with: "'\(to)'")
        for (name, value) in variables {
            text = text.replacing("${\(name):sqlstring}", with: "'\(value.replacing("'", with: "''"))'")
        }
        guard !text.contains("$__"), !text.contains("${") else {
            throw Program.Failed(message: "unknown Grafana variable in: \(text.prefix(2_000))")
        }
        return text
    }
}
