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
        let content: Content
        /// The position of its resource in `resources`, or `nil` without one.
        let resource: Int?
    }

    enum Content: Sendable {
        case json(JSONElement)
        /// The position of a message in the body.
        case protobuf(Range<Int>)
    }

    /// The number of records with a name, or with native fields, that are read of one request.
    static let limit = ForeignBody.limit
    /// The number of all records of one request.
    static let totalLimit = 100_000

    fileprivate(set) var count = 0
    private(set) var named: [Record] = []
    /// The resources of the named records.
    private(set) var resources: [Content] = []
    private var resource: Content?
    private var isResourceKept = false

    fileprivate mutating func begin(_ resource: Content?) {
        self.resource = resource
        isResourceKept = false
    }

    fileprivate mutating func countRecord() throws(DialectError) {
        count += 1
        if count > Self.totalLimit { throw .tooManyEvents(limit: Self.totalLimit) }
    }

    /// Adds the record that was counted last.
    fileprivate mutating func add(_ name: String, statesFields: Bool, _ content: Content) throws(DialectError) {
        guard named.count < Self.limit else { throw .tooManyEvents(limit: Self.limit) }
        if let resource, !isResourceKept {
            resources.append(resource)
            isResourceKept = true
        }
        named.append(
            Record(
                index: count - 1, name: name, statesFields: statesFields, content: content,
                resource: isResourceKept ? resources.count - 1 : nil))
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
        self.init()
        guard let request = try JSONElement.body(body).object else { throw .malformed("the body is no object") }
        let readsAttributes = body.contains(Key.eventName) || body.contains(Key.native)
        for logs in try Self.elements(request["resourceLogs"]) {
            guard let logs = logs.object else { throw .malformed("resourceLogs holds something other than objects") }
            begin(logs["resource"].map { .json($0) })
            for scope in try Self.elements(logs["scopeLogs"]) {
                for record in try Self.elements(scope.object?["logRecords"]) {
                    try countRecord()
                    try add(record, readsAttributes)
                }
            }
        }
    }

    private static func elements(_ value: JSONElement?) throws(DialectError) -> [JSONElement] {
        guard let value else { return [] }
        let elements: [JSONElement]?
        do throws(JSONElementError) {
            elements = try value.elements(limit: totalLimit)
        } catch {
            throw .tooManyEvents(limit: totalLimit)
        }
        guard let elements else { throw .malformed("a list of the request is no array") }
        return elements
    }

    private mutating func add(_ record: JSONElement, _ readsAttributes: Bool) throws(DialectError) {
        guard let members = record.object else { return }
        var name = members["eventName"]?.text
        var statesFields = false
        if readsAttributes, let attributes = members["attributes"] {
            for attribute in try Self.elements(attributes) {
                guard let attribute = attribute.object, let key = attribute["key"]?.string else { continue }
                if key.hasPrefix(Key.native.description) { statesFields = true }
                if name == nil, key == Key.eventName.description {
                    name = attribute.at("value", "stringValue")?.text
                }
            }
        }
        if name != nil || statesFields { try add(name ?? "", statesFields: statesFields, .json(record)) }
    }
}

// MARK: - Protocol Buffers

extension LogRecords {
    /// Finds the records of an `ExportLogsServiceRequest` in Protocol Buffers.
    init(protobuf body: [UInt8]) throws(DialectError) {
        self.init()
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
        // A sender may write the records before their resource.
        var logs = ProtobufReader(body, range)
        var resource: Content?
        var scopes: [Range<Int>] = []
        while let (number, value) = try Self.next(&logs) {
            guard case .bytes(let range) = value else { continue }
            if number == 1 { resource = .protobuf(range) }
            if number == 2 { scopes.append(range) }
            if scopes.count > Self.totalLimit { throw .tooManyEvents(limit: Self.totalLimit) }
        }
        begin(resource)
        for scope in scopes {
            var logs = ProtobufReader(body, scope)
            while let (number, value) = try Self.next(&logs) {
                guard number == 2, case .bytes(let record) = value else { continue }
                try countRecord()
                try addRecord(body, record)
            }
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
        guard !text.isEmpty || statesFields else { return }
        try add(text, statesFields: statesFields, .protobuf(range))
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
