/// The first comment of a report file: title, description, parameters and columns.
struct ReportHead {
    struct DeclaredParameter {
        let name: String
        let kind: ReportParameter.Kind
        let description: String
        let line: Int
    }

    struct DeclaredColumn {
        let column: ReportColumn
        let line: Int
    }

    private(set) var title = ""
    private(set) var description = ""
    private(set) var parameters: [DeclaredParameter] = []
    private(set) var columns: [DeclaredColumn] = []
    private(set) var rowLimit: Int?
    private let file: String

    init(file: String, source: String) throws(ReportError) {
        self.file = file
        for entry in try Self.entries(file: file, source: source) { try add(entry) }
        if title.isEmpty { throw .file(name: file, line: 1, detail: "the head has no '-- title:'") }
        if columns.isEmpty { throw .file(name: file, line: 1, detail: "the head has no '-- column:'") }
    }

    private mutating func add(_ entry: Entry) throws(ReportError) {
        switch entry.key {
        case "title": title = try only(entry, after: title)
        case "description": description = try only(entry, after: description)
        case "parameter": parameters.append(try parameter(entry))
        case "column": columns.append(try column(entry))
        case "rows": rowLimit = try rows(entry)
        default: throw failure(entry, "unknown key; indent continuation lines")
        }
    }

    private func only(_ entry: Entry, after before: String) throws(ReportError) -> String {
        guard before.isEmpty else { throw failure(entry, "appears a second time") }
        return entry.text
    }

    private func rows(_ entry: Entry) throws(ReportError) -> Int {
        guard rowLimit == nil else { throw failure(entry, "appears a second time") }
        guard let limit = Int(entry.declaration.words.joined(separator: " ")), limit > 0 else {
            throw failure(entry, "expected a whole number above 0")
        }
        return limit
    }

    private func parameter(_ entry: Entry) throws(ReportError) -> DeclaredParameter {
        let (words, description) = entry.declaration
        guard words.count == 2 || words.count == 3, Self.isName(words[0]) else {
            throw failure(entry, "expected 'name type [values]  description'")
        }
        guard let kind = ReportParameter.Kind(type: words[1], values: words.count == 3 ? words[2] : nil) else {
            throw failure(entry, "no such type of parameter: \(words.dropFirst().joined(separator: " "))")
        }
        guard !parameters.contains(where: { $0.name == words[0] }) else {
            throw failure(entry, "\(words[0]) is declared twice")
        }
        return DeclaredParameter(name: words[0], kind: kind, description: description, line: entry.line)
    }

    private func column(_ entry: Entry) throws(ReportError) -> DeclaredColumn {
        let (words, description) = entry.declaration
        guard words.count == 2 || words.count == 3, Self.isName(words[0]) else {
            throw failure(entry, "expected 'name type [unit]  description'")
        }
        guard let kind = ReportColumn.Kind(rawValue: words[1]) else {
            throw failure(entry, "no such type of column: \(words[1])")
        }
        guard !columns.contains(where: { $0.column.name == words[0] }) else {
            throw failure(entry, "\(words[0]) is declared twice")
        }
        let unit = words.count == 3 ? words[2] : nil
        let column = ReportColumn(name: words[0], kind: kind, unit: unit, description: description)
        return DeclaredColumn(column: column, line: entry.line)
    }

    private static func isName(_ word: String) -> Bool {
        let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_") }
        return word.utf8.first.map(isLetter) == true
            && word.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
    }

    private func failure(_ entry: Entry, _ detail: String) -> ReportError {
        .file(name: file, line: entry.line, detail: "\(entry.key): \(detail)")
    }
}

extension ReportHead {
    /// A key of the head with its text, in which continuation lines are joined without their indentation.
    private struct Entry {
        let key: String
        var text: String
        let line: Int

        /// The words before the first two spaces, and the description after them.
        var declaration: (words: [String], description: String) {
            let gap = text.firstRange(of: "  ")
            let words = text[..<(gap?.lowerBound ?? text.endIndex)].split(separator: " ").map(String.init)
            let description = gap.map { text[$0.upperBound...].drop { $0 == " " } } ?? ""
            return (words, String(description))
        }
    }

    private static func entries(file: String, source: String) throws(ReportError) -> [Entry] {
        var entries: [Entry] = []
        let keyed = /-- ([a-z_]+):(?: (.*))?/
        let lines = source.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            guard line.hasPrefix("--") else {
                if line.allSatisfy(\.isWhitespace), entries.isEmpty { continue }
                break
            }
            if let match = line.wholeMatch(of: keyed) {
                let text = String((match.2 ?? "").drop { $0 == " " })
                entries.append(Entry(key: String(match.1), text: text, line: index + 1))
            } else {
                let text = line.dropFirst(2).drop { $0 == " " }
                guard !text.isEmpty else { continue }
                guard !entries.isEmpty else {
                    throw .file(name: file, line: index + 1, detail: "the head begins with '-- title:'")
                }
                entries[entries.count - 1].text += entries[entries.count - 1].text.isEmpty ? text : " " + text
            }
        }
        return entries
    }
}
