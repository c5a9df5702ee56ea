import Foundation

/// The format that the extension of a file's name means, such as `csv` for `actions.csv`.
enum FileFormat {
    static func name(of path: String?) -> String? {
        switch ending(of: path) {
        case "csv": "csv"
        case "json": "json"
        case "ndjson", "jsonl": "ndjson"
        case "md": "markdown"
        case "html", "htm": "html"
        case "xlsx": "xlsx"
        default: nil
        }
    }

    /// Returns the extension of a file's name if it is neither a format's nor that of a plain text, else nil.
    static func unknownEnding(of path: String?) -> String? {
        let ending = ending(of: path)
        return name(of: path) != nil || ["", "txt"].contains(ending) ? nil : ending
    }

    private static func ending(of path: String?) -> String {
        path.map { URL(filePath: $0).pathExtension.lowercased() } ?? ""
    }
}
