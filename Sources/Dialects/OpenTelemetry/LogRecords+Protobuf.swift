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
