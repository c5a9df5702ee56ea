import JSON

extension LogRecords {
    /// Finds the records of an `ExportLogsServiceRequest` in JSON.
    init(json body: [UInt8]) throws(DialectError) {
        self.init(.json)
        var reader = JSONLogReader(body)
        try reader.read(into: &self)
    }
}

/// Passes over a request in JSON once, and decodes nothing but names.
private struct JSONLogReader {
    private var scanner: JSONScanner
    /// Whether any attribute can matter.
    private let readsAttributes: Bool

    init(_ body: [UInt8]) {
        scanner = JSONScanner(body, maximumDepth: 128)
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position = 3 }
        readsAttributes = body.contains(LogRecords.Key.eventName) || body.contains(LogRecords.Key.native)
    }

    mutating func read(into records: inout LogRecords) throws(DialectError) {
        guard scanner.skipSpace() != nil, enters("{") else { throw .malformed("the body is no object") }
        var isFirst = true
        while let name = try member(&isFirst) {
            guard isKey(name, "resourceLogs"), try entersList() else {
                try skip()
                continue
            }
            var isFirst = true
            while try element(&isFirst) { try readResourceLogs(into: &records) }
        }
        guard scanner.skipSpace() == nil else { throw .malformed("there is more text after the end of the document") }
    }

    private mutating func readResourceLogs(into records: inout LogRecords) throws(DialectError) {
        guard enters("{") else { throw .malformed("resourceLogs holds something other than objects") }
        let first = records.named.count
        var resource: Range<Int>?
        var isFirst = true
        while let name = try member(&isFirst) {
            if isKey(name, "resource") {
                let value = try skip()
                resource = value.type == .object ? value.start..<value.end : nil
            } else if isKey(name, "scopeLogs"), try entersList() {
                var isFirst = true
                while try element(&isFirst) { try readScopeLogs(into: &records) }
            } else {
                try skip()
            }
        }
        records.setResource(resource, from: first)
    }

    private mutating func readScopeLogs(into records: inout LogRecords) throws(DialectError) {
        guard enters("{") else {
            try skip()
            return
        }
        var isFirst = true
        while let name = try member(&isFirst) {
            guard isKey(name, "logRecords"), try entersList() else {
                try skip()
                continue
            }
            var isFirst = true
            while try element(&isFirst) {
                try records.countRecord()
                try readRecord(into: &records)
            }
        }
    }

    private mutating func readRecord(into records: inout LogRecords) throws(DialectError) {
        let start = scanner.position
        guard enters("{") else {
            try skip()
            return
        }
        var eventName = ""
        var attributes = Attributes()
        var isFirst = true
        while let name = try member(&isFirst) {
            if isKey(name, "eventName") {
                eventName = text(try skip())
            } else if readsAttributes, isKey(name, "attributes"), try entersList() {
                var isFirst = true
                while try element(&isFirst) { try readAttribute(into: &attributes) }
            } else {
                try skip()
            }
        }
        try records.add(
            eventName.isEmpty ? attributes.name : eventName, statesFields: attributes.areNative,
            start..<scanner.position)
    }

    /// What the attributes of a record say about it.
    private struct Attributes {
        var name = ""
        var areNative = false
    }

    private mutating func readAttribute(into attributes: inout Attributes) throws(DialectError) {
        guard enters("{") else {
            try skip()
            return
        }
        var key = ""
        var value = ""
        var isFirst = true
        while let name = try member(&isFirst) {
            if isKey(name, "key") {
                key = text(try skip())
            } else if isKey(name, "value"), enters("{") {
                var isFirst = true
                while let name = try member(&isFirst) {
                    let content = try skip()
                    if isKey(name, "stringValue") { value = text(content) }
                }
            } else {
                try skip()
            }
        }
        if key.hasPrefix(LogRecords.Key.native.description) { attributes.areNative = true }
        if key == LogRecords.Key.eventName.description { attributes.name = value }
    }

    // MARK: Tokens

    /// Steps into an object if one begins here.
    private mutating func enters(_ bracket: Unicode.Scalar) -> Bool {
        guard scanner.position < scanner.end, scanner.bytes[scanner.position] == UInt8(ascii: bracket) else {
            return false
        }
        scanner.position += 1
        return true
    }

    /// Steps into an array if one begins here. A null counts as no array.
    private mutating func entersList() throws(DialectError) -> Bool {
        if enters("[") { return true }
        let start = scanner.position
        guard try skip().type == .null else { throw .malformed("a list of the request is no array") }
        scanner.position = start
        return false
    }

    private mutating func member(_ isFirst: inout Bool) throws(DialectError) -> StringToken? {
        do throws(JSONSyntaxError) { return try scanner.nextMember(isFirst: &isFirst) } catch {
            throw Self.failure(error)
        }
    }

    private mutating func element(_ isFirst: inout Bool) throws(DialectError) -> Bool {
        do throws(JSONSyntaxError) { return try scanner.nextElement(isFirst: &isFirst) } catch {
            throw Self.failure(error)
        }
    }

    @discardableResult
    private mutating func skip() throws(DialectError) -> ValueToken {
        do throws(JSONSyntaxError) { return try scanner.scanValue(depth: 1) } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: JSONSyntaxError) -> DialectError {
        .malformed("the body is no JSON: \(error)")
    }

    private func isKey(_ token: StringToken, _ name: StaticString) -> Bool {
        token.end - token.start == name.utf8CodeUnitCount
            && name.withUTF8Buffer { scanner.bytes[token.start..<token.end].elementsEqual($0) }
    }

    /// The text of a string; empty for any other value.
    private func text(_ value: ValueToken) -> String {
        guard value.type == .string else { return "" }
        let range = value.start..<value.end
        return String(
            lenient: value.hasEscapes ? JSONText.unescape(scanner.bytes, range)[...] : scanner.bytes[range])
    }
}
