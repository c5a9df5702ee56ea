import JSON

/// The log records of a request that may be events, found without decoding any of them.
///
/// A whole application's log may come, of which few records, or none, are events of notifications. So the names are looked
/// at first, and only what a name makes interesting is decoded.
struct LogRecords: Sendable {
    /// A record that has an event's name, or states native fields.
    struct Record: Sendable {
        /// Its position in the request.
        let index: Int
        let name: String
        /// Whether an attribute is of this collector, which makes a record of any name interesting.
        let statesFields: Bool
        /// The position of the record in the body.
        let content: Range<Int>
        /// The position of its resource in the body, or `nil` without one.
        fileprivate(set) var resource: Range<Int>?
    }

    /// The number of records with a name, or with native fields, that are read of one request.
    static let limit = ForeignBody.limit
    /// The number of all records of one request.
    static let totalLimit = 100_000

    let encoding: OpenTelemetryEncoding
    fileprivate(set) var count = 0
    fileprivate(set) var named: [Record] = []

    fileprivate init(_ encoding: OpenTelemetryEncoding) {
        self.encoding = encoding
    }

    fileprivate mutating func countRecord() throws(DialectError) {
        count += 1
        if count > Self.totalLimit { throw .tooManyEvents(limit: Self.totalLimit) }
    }

    /// Adds the record that was counted last, if it may be an event.
    fileprivate mutating func add(
        _ name: String, statesFields: Bool, _ content: Range<Int>
    ) throws(DialectError) {
        guard !name.isEmpty || statesFields else { return }
        guard named.count < Self.limit else { throw .tooManyEvents(limit: Self.limit) }
        named.append(Record(index: count - 1, name: name, statesFields: statesFields, content: content))
    }

    /// Sets the resource of the records from a position on, because a sender may write the records before it.
    fileprivate mutating func setResource(_ resource: Range<Int>?, from first: Int) {
        for position in first..<named.count { named[position].resource = resource }
    }
}

/// Names of attributes that make a log record interesting.
private enum Key {
    /// The name of the event, where older SDKs put it.
    static let eventName: StaticString = "event.name"
    static let native: StaticString = "afterpush"
}

// MARK: - JSON

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
        readsAttributes = body.contains(Key.eventName) || body.contains(Key.native)
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
        if key.hasPrefix(Key.native.description) { attributes.areNative = true }
        if key == Key.eventName.description { attributes.name = value }
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

    /// Steps into an array if one begins here; a null stands for none.
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
        return value.hasEscapes
            ? String(decoding: JSONText.unescape(scanner.bytes, range), as: UTF8.self)
            : String(decoding: scanner.bytes[range], as: UTF8.self)
    }
}

// MARK: - Protocol Buffers

extension LogRecords {
    /// Finds the records of an `ExportLogsServiceRequest` in Protocol Buffers.
    init(protobuf body: [UInt8]) throws(DialectError) {
        self.init(.protobuf)
        var request = ProtobufReader(body, 0..<body.count)
        while let (number, value) = try Self.next(&request) {
            if number == 1, case .bytes(let range) = value { try addResourceLogs(body, range) }
        }
    }

    private static func next(
        _ message: inout ProtobufReader
    ) throws(DialectError) -> (number: Int, value: ProtobufReader.Value)? {
        do throws(ProtobufError) {
            return try message.next()
        } catch {
            throw .malformed("the body is no message of OpenTelemetry, or is cut off")
        }
    }

    private mutating func addResourceLogs(_ body: [UInt8], _ range: Range<Int>) throws(DialectError) {
        let first = named.count
        var resource: Range<Int>?
        var logs = ProtobufReader(body, range)
        while let (number, value) = try Self.next(&logs) {
            guard case .bytes(let range) = value else { continue }
            if number == 1 { resource = range }
            if number == 2 { try addScopeLogs(body, range) }
        }
        setResource(resource, from: first)
    }

    private mutating func addScopeLogs(_ body: [UInt8], _ range: Range<Int>) throws(DialectError) {
        var logs = ProtobufReader(body, range)
        while let (number, value) = try Self.next(&logs) {
            guard number == 2, case .bytes(let record) = value else { continue }
            try countRecord()
            try addRecord(body, record)
        }
    }

    private mutating func addRecord(_ body: [UInt8], _ range: Range<Int>) throws(DialectError) {
        var record = ProtobufReader(body, range)
        var name: Range<Int>?
        var oldName: Range<Int>?
        var statesFields = false
        while let (number, value) = try Self.next(&record) {
            guard case .bytes(let range) = value else { continue }
            if number == 12 { name = range }
            if number == 6 {
                var attribute = ProtobufReader(body, range)
                var key: Range<Int>?
                var text: Range<Int>?
                while let (number, value) = try Self.next(&attribute) {
                    guard case .bytes(let range) = value else { continue }
                    if number == 1 { key = range }
                    if number == 2 { text = range }
                }
                guard let key else { continue }
                if record.starts(key, with: Key.native) { statesFields = true }
                if key.count == Key.eventName.utf8CodeUnitCount, record.starts(key, with: Key.eventName) {
                    oldName = text
                }
            }
        }
        var text = name.map(record.text) ?? ""
        if text.isEmpty, let oldName { text = try Self.string(body, oldName) ?? "" }
        try add(text, statesFields: statesFields, range)
    }

    /// The string of an `AnyValue`, or `nil` if it is something else.
    private static func string(_ body: [UInt8], _ range: Range<Int>) throws(DialectError) -> String? {
        var value = ProtobufReader(body, range)
        var text: String?
        while let (number, content) = try next(&value) {
            if number == 1, case .bytes(let range) = content { text = value.text(range) }
        }
        return text
    }
}
