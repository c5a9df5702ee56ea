import AfterpushWire
import Foundation
import Zlib

/// An Excel workbook (Office Open XML, ECMA-376) with one sheet.
///
/// Numbers are numbers, ratios are shown as per cent, times are Excel's in the report's time zone, and text is text: no
/// cell is ever a formula. The archive is written piece by piece.
package struct WorkbookFormat: ReportFormat {
    package init() {}

    package var contentType: String { "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" }

    package nonisolated(nonsending) func write(_ result: ReportResult, into sink: ReportSink) async throws {
        var archive = ArchiveWriter()
        for (name, text) in Self.fixedParts(title: result.report) {
            try await archive.begin(name, into: sink)
            try await archive.write(Array(text.utf8), into: sink)
            try await archive.end(into: sink)
        }
        try await archive.begin("xl/worksheets/sheet1.xml", into: sink)
        try await writeSheet(result) { try await archive.write($0, into: sink) }
        try await archive.end(into: sink)
        try await archive.finish(into: sink)
    }

    private nonisolated(nonsending) func writeSheet(
        _ result: ReportResult, into sink: ReportSink
    ) async throws {
        let zone = TimeZone(identifier: result.zoneName) ?? .gmt
        var pieces = ChunkedWriter()
        try await pieces.write(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <worksheet xmlns="\(Self.main)"><sheetViews><sheetView workbookViewId="0">\
            <pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>\
            <cols>
            """, into: sink)
        for (place, column) in result.columns.enumerated() {
            let width = column.kind == .time ? 20 : max(10, min(40, column.name.count + 2))
            try await pieces.write(
                "<col min=\"\(place + 1)\" max=\"\(place + 1)\" width=\"\(width)\" customWidth=\"1\"/>", into: sink)
        }
        try await pieces.write("</cols><sheetData><row r=\"1\">", into: sink)
        for (place, column) in result.columns.enumerated() {
            try await pieces.write(Self.text(column.name, at: place, row: 1, style: .heading), into: sink)
        }
        try await pieces.write("</row>", into: sink)
        for row in result.rows.indices {
            let cells = result.columns.indices.compactMap { place in
                result.rows[row][place].map {
                    Self.cell($0, result.columns[place], at: place, row: row + 2, zone: zone)
                }
            }
            try await pieces.write("<row r=\"\(row + 2)\">\(cells.joined())</row>", into: sink)
        }
        try await pieces.write("</sheetData></worksheet>", into: sink)
        try await pieces.finish(into: sink)
    }

    // MARK: - Cells

    /// The places of the styles in `xl/styles.xml`.
    private enum Style: Int {
        case plain, heading, percent, time, date
    }

    private static func cell(_ value: String, _ column: ReportColumn, at place: Int, row: Int, zone: TimeZone) -> String
    {
        let reference = "\(letters(place))\(row)"
        switch column.kind {
        case .integer, .number:
            // Excel's numbers have 15 digits; an infinite one is not a number there.
            guard let number = Double(value), number.isFinite else { return text(value, at: place, row: row) }
            let style: Style = column.isRatio ? .percent : .plain
            return "<c r=\"\(reference)\" s=\"\(style.rawValue)\"><v>\(value)</v></c>"
        case .boolean:
            return "<c r=\"\(reference)\" t=\"b\"><v>\(value == "true" ? 1 : 0)</v></c>"
        case .time:
            guard let time = ReportTime.read(value, zone: .gmt) else { return text(value, at: place, row: row) }
            let seconds = Double(time.microseconds) / 1_000_000
            let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
            return "<c r=\"\(reference)\" s=\"\(Style.time.rawValue)\"><v>\(day(seconds + Double(offset)))</v></c>"
        case .date:
            guard let date = ReportTime.read(value, zone: .gmt) else { return text(value, at: place, row: row) }
            let number = day(Double(date.microseconds) / 1_000_000)
            return "<c r=\"\(reference)\" s=\"\(Style.date.rawValue)\"><v>\(number)</v></c>"
        case .text:
            return text(value, at: place, row: row)
        }
    }

    /// Excel's number of a time: days since 1899-12-30.
    private static func day(_ seconds: Double) -> Double { seconds / 86_400 + 25_569 }

    private static func text(_ text: String, at place: Int, row: Int, style: Style = .plain) -> String {
        // A cell takes 32,767 characters, counted as UTF-16.
        let short = text.utf16.count > 32_767 ? String(decoding: text.utf16.prefix(32_766), as: UTF16.self) + "…" : text
        return "<c r=\"\(letters(place))\(row)\" s=\"\(style.rawValue)\" t=\"inlineStr\">"
            + "<is><t xml:space=\"preserve\">\(escaped(short))</t></is></c>"
    }

    /// The name of a column: A to Z, AA and so on.
    static func letters(_ place: Int) -> String {
        let letter = String(UnicodeScalar(UInt8(65 + place % 26)))
        return place < 26 ? letter : letters(place / 26 - 1) + letter
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        let scalars = text.unicodeScalars
        for (place, scalar) in zip(scalars.indices, scalars) {
            switch scalar {
            // Readers take _xHHHH_ for the character with that number.
            case "_" where isEscape(scalars[place...]):
                escaped += "_x005F_"
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            // XML has no other control characters, and not these two.
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Whether a text begins with _xHHHH_.
    private static func isEscape(_ text: Substring.UnicodeScalarView) -> Bool {
        let start = text.prefix(7)
        return start.count == 7 && start.starts(with: "_x".unicodeScalars) && start.last == "_"
            && start.dropFirst(2).dropLast().allSatisfy(\.properties.isASCIIHexDigit)
    }

    // MARK: - Parts that are the same for each report

    private static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    private static let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    private static let package = "http://schemas.openxmlformats.org/package/2006"
    private static let type = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    private static let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"

    private static func fixedParts(title: String) -> [(name: String, text: String)] {
        // A sheet's name has at most 31 characters, and not all are allowed.
        let name = String(title.filter { !"[]:*?/\\".contains($0) }.prefix(31))
        return [
            (
                "[Content_Types].xml",
                """
                \(xml)<Types xmlns="\(package)/content-types">\
                <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
                <Default Extension="xml" ContentType="application/xml"/>\
                <Override PartName="/xl/workbook.xml" ContentType="\(type).sheet.main+xml"/>\
                <Override PartName="/xl/worksheets/sheet1.xml" ContentType="\(type).worksheet+xml"/>\
                <Override PartName="/xl/styles.xml" ContentType="\(type).styles+xml"/></Types>
                """
            ),
            (
                "_rels/.rels",
                """
                \(xml)<Relationships xmlns="\(package)/relationships">\
                <Relationship Id="rId1" Type="\(office)/officeDocument" Target="xl/workbook.xml"/></Relationships>
                """
            ),
            (
                "xl/workbook.xml",
                """
                \(xml)<workbook xmlns="\(main)" xmlns:r="\(office)"><sheets>\
                <sheet name="\(escaped(name))" sheetId="1" r:id="rId1"/></sheets></workbook>
                """
            ),
            (
                "xl/_rels/workbook.xml.rels",
                """
                \(xml)<Relationships xmlns="\(package)/relationships">\
                <Relationship Id="rId1" Type="\(office)/worksheet" Target="worksheets/sheet1.xml"/>\
                <Relationship Id="rId2" Type="\(office)/styles" Target="styles.xml"/></Relationships>
                """
            ),
            (
                "xl/styles.xml",
                """
                \(xml)<styleSheet xmlns="\(main)">\
                <numFmts count="3"><numFmt numFmtId="164" formatCode="0.00%"/>\
                <numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>\
                <numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd"/></numFmts>\
                <fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>\
                <font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
                <fills count="2"><fill><patternFill patternType="none"/></fill>\
                <fill><patternFill patternType="gray125"/></fill></fills>\
                <borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
                <cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
                <cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
                <xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>\
                <xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
                <xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
                <xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>\
                </styleSheet>
                """
            ),
        ]
    }
}

/// Writes a ZIP archive (APPNOTE 6.3) to a sink, one entry after another, without knowing their sizes beforehand.
private struct ArchiveWriter {
    /// An archive could not be written because memory is exhausted.
    private struct OutOfMemory: Error {}

    private struct Entry {
        let name: [UInt8]
        let offset: Int
        var checksum: UInt32 = 0
        var compressed = 0
        var size = 0
    }

    private var entries: [Entry] = []
    private var deflater: Deflater?
    private var offset = 0

    nonisolated(nonsending) mutating func begin(_ name: String, into sink: ReportSink) async throws {
        guard let deflater = Deflater() else { throw OutOfMemory() }
        self.deflater = deflater
        let entry = Entry(name: Array(name.utf8), offset: offset)
        entries.append(entry)
        try await put(
            Self.bytes(UInt32(0x0403_4B50)) + Self.head(entry) + Self.bytes(UInt16(0)) + entry.name, into: sink)
    }

    nonisolated(nonsending) mutating func write(_ bytes: [UInt8], into sink: ReportSink) async throws {
        guard let compressed = deflater?.write(bytes), !compressed.isEmpty else { return }
        entries[entries.count - 1].compressed += compressed.count
        try await put(compressed, into: sink)
    }

    nonisolated(nonsending) mutating func end(into sink: ReportSink) async throws {
        guard let deflater else { return }
        let rest = deflater.write([], isLast: true)
        var entry = entries[entries.count - 1]
        entry.compressed += rest.count
        entry.checksum = deflater.checksum
        entry.size = deflater.count
        entries[entries.count - 1] = entry
        self.deflater = nil
        try await put(rest + Self.bytes(UInt32(0x0807_4B50)) + Self.sizes(entry), into: sink)
    }

    nonisolated(nonsending) mutating func finish(into sink: ReportSink) async throws {
        let start = offset
        for entry in entries {
            // Version, head, sizes, and nothing in the comment, the disk and the attributes.
            try await put(
                Self.bytes(UInt32(0x0201_4B50)) + Self.bytes(UInt16(20)) + Self.head(entry)
                    + Self.bytes(UInt16(0)) + Self.bytes(UInt16(0)) + Self.bytes(UInt16(0)) + Self.bytes(UInt16(0))
                    + Self.bytes(UInt32(0)) + Self.bytes(UInt32(truncatingIfNeeded: entry.offset)) + entry.name,
                into: sink)
        }
        let count = Self.bytes(UInt16(entries.count))
        try await put(
            Self.bytes(UInt32(0x0605_4B50)) + Self.bytes(UInt32(0)) + count + count
                + Self.bytes(UInt32(truncatingIfNeeded: offset - start)) + Self.bytes(UInt32(truncatingIfNeeded: start))
                + Self.bytes(UInt16(0)), into: sink)
    }

    private nonisolated(nonsending) mutating func put(_ bytes: [UInt8], into sink: ReportSink) async throws {
        offset += bytes.count
        try await sink(bytes)
    }

    /// The part that both headers of an entry have, from the version to the length of its name.
    private static func head(_ entry: Entry) -> [UInt8] {
        // Needs version 2.0; sizes follow the data; deflated; the first day that ZIP knows, so that equal rows are
        // equal files.
        bytes(UInt16(20)) + bytes(UInt16(8)) + bytes(UInt16(8)) + bytes(UInt16(0)) + bytes(UInt16(0x21)) + sizes(entry)
            + bytes(UInt16(entry.name.count))
    }

    private static func sizes(_ entry: Entry) -> [UInt8] {
        bytes(entry.checksum) + bytes(UInt32(truncatingIfNeeded: entry.compressed))
            + bytes(UInt32(truncatingIfNeeded: entry.size))
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
