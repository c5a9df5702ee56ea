import Foundation

/// The format that the extension of a file's name stands for, such as `csv` for `actions.csv`.
enum FileFormat {
    static func name(of path: String?) -> String? {
        switch path.map({ URL(filePath: $0).pathExtension }) {
        case "csv": "csv"
        case "json": "json"
        case "ndjson", "jsonl": "ndjson"
        case "md": "markdown"
        case "html", "htm": "html"
        case "xlsx": "xlsx"
        default: nil
        }
    }
}
