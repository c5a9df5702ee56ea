import Foundation

/// The format that a file's name asks for: `csv` of `actions.csv`.
enum FileFormat {
    static func name(of path: String?) -> String? {
        switch path.map({ URL(filePath: $0).pathExtension }) {
        case "csv": "csv"
        case "json": "json"
        case "ndjson", "jsonl": "ndjson"
        default: nil
        }
    }
}
