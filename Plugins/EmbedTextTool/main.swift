import Foundation

// Writes a Swift file with the text of other files: EmbedTextTool OUTPUT FILE...
//
// The file `a/put_action.sql` becomes `PackageText.put_action_sql`.

/// A Swift string literal of any text: enough number signs that nothing inside ends it or is an escape.
func literal(_ text: String) -> String {
    var signs = "#"
    while text.contains("\"\"\"" + signs) || text.contains("\\" + signs) { signs += "#" }
    return "\(signs)\"\"\"\n\(text)\n\"\"\"\(signs)"
}

let arguments = CommandLine.arguments.dropFirst()
guard let output = arguments.first else {
    FileHandle.standardError.write(Data("usage: EmbedTextTool OUTPUT FILE...\n".utf8))
    exit(2)
}
var source = "enum PackageText {\n"
for path in arguments.dropFirst() {
    let file = URL(filePath: path)
    let name = file.lastPathComponent.map { $0.isLetter || $0.isNumber ? $0 : "_" }
    source += "static let \(String(name)) = \(literal(try String(contentsOf: file, encoding: .utf8)))\n"
}
source += "}\n"
try source.write(toFile: output, atomically: true, encoding: .utf8)
