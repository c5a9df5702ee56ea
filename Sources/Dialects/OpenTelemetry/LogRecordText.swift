import Foundation
import JSON

/// Decodes log records and resources into plain JSON, in which attributes and lists are objects.
///
/// Both encodings become the same text, so that an event has the same identity in either.
struct LogRecordText {
    let body: [UInt8]
    let encoding: OpenTelemetryEncoding

    /// The brackets of a value that may be open at once.
    private static let maximumDepth = 32

    /// Returns the attributes of a resource as an object; `nil` if it can't be read.
    ///
    /// A resource that is longer than what all events of a request may share counts as one without attributes.
    func resource(_ range: Range<Int>) -> String? {
        guard range.count <= ForeignBody.envelopeBytes else { return "{}" }
        return switch encoding {
        case .json: members(range).map { attributes($0["attributes"], depth: 0) }
        case .protobuf: try? keyValues(range, number: 1, depth: 0)
        }
    }

    /// What is decoded of a record.
    struct Record {
        var attributes = "{}"
        var body = "null"
        /// Nanoseconds since 1970, 0 if unknown.
        var time: UInt64 = 0
        var observedTime: UInt64 = 0
        var traceID = ""
        var spanID = ""
    }

    /// Returns the content of a record; `nil` if it can't be read.
    func record(_ range: Range<Int>) -> Record? {
        switch encoding {
        case .json: members(range).map(record)
        case .protobuf: try? message(range)
        }
    }

    // MARK: JSON

    private func members(_ range: Range<Int>) -> JSONObject? { try? JSONElement(Array(body[range])).object }

    private func record(_ members: JSONObject) -> Record {
        Record(
            attributes: attributes(members["attributes"], depth: 0), body: value(members["body"], depth: 0),
            time: members["timeUnixNano"]?.text.flatMap { UInt64($0) } ?? 0,
            observedTime: members["observedTimeUnixNano"]?.text.flatMap { UInt64($0) } ?? 0,
            traceID: members["traceId"]?.string?.lowercased() ?? "",
            spanID: members["spanId"]?.string?.lowercased() ?? "")
    }

    private func attributes(_ list: JSONElement?, depth: Int) -> String {
        let elements = (try? list?.elements(limit: ForeignBody.limit)) ?? []
        return JSONText.object(
            elements.compactMap { element in
                guard let attribute = element.object, let key = attribute["key"]?.string else { return nil }
                return (key, value(attribute["value"], depth: depth))
            })
    }

    private func value(_ value: JSONElement?, depth: Int) -> String {
        guard depth < Self.maximumDepth, let (name, value) = value?.object?.all.first else { return "null" }
        switch name {
        case "stringValue": return JSONText.string(value.string ?? "")
        case "boolValue": return value.bool.map { $0 ? "true" : "false" } ?? "null"
        case "intValue": return value.text.flatMap { Int64($0) }.map { String($0) } ?? "null"
        case "doubleValue": return value.number.map(Self.number) ?? "null"
        case "bytesValue": return JSONText.string(value.string ?? "")
        case "arrayValue":
            let elements = (try? value.object?["values"]?.elements(limit: ForeignBody.limit)) ?? []
            return JSONText.array(elements.map { self.value($0, depth: depth + 1) })
        case "kvlistValue": return attributes(value.object?["values"], depth: depth + 1)
        default: return "null"
        }
    }

    private static func number(_ value: Double) -> String { value.isFinite ? "\(value)" : "null" }

    // MARK: Protocol Buffers

    private func message(_ range: Range<Int>) throws(ProtobufError) -> Record {
        var record = Record()
        record.attributes = try keyValues(range, number: 6, depth: 0)
        var reader = ProtobufReader(body, range)
        while let (number, content) = try reader.next() {
            switch (number, content) {
            case (1, .fixed64(let time)): record.time = time
            case (11, .fixed64(let time)): record.observedTime = time
            case (5, .bytes(let range)): record.body = try value(range, depth: 0)
            case (9, .bytes(let range)): record.traceID = hex(range)
            case (10, .bytes(let range)): record.spanID = hex(range)
            default: break
            }
        }
        return record
    }

    /// Returns the pairs in a repeated field of a message as an object.
    private func keyValues(_ range: Range<Int>, number wanted: Int, depth: Int) throws(ProtobufError) -> String {
        var members: [(key: String, json: String)] = []
        var message = ProtobufReader(body, range)
        while let (number, content) = try message.next() {
            guard number == wanted, case .bytes(let pair) = content else { continue }
            var member = (key: "", json: "null")
            var reader = ProtobufReader(body, pair)
            while let (number, content) = try reader.next() {
                guard case .bytes(let range) = content else { continue }
                if number == 1 { member.key = reader.text(range) }
                if number == 2 { member.json = try value(range, depth: depth) }
            }
            members.append(member)
        }
        return JSONText.object(members)
    }

    private func value(_ range: Range<Int>, depth: Int) throws(ProtobufError) -> String {
        guard depth < Self.maximumDepth else { return "null" }
        var json = "null"
        var reader = ProtobufReader(body, range)
        while let (number, content) = try reader.next() {
            switch (number, content) {
            case (1, .bytes(let range)): json = JSONText.string(reader.text(range))
            case (2, .varint(let value)): json = value == 0 ? "false" : "true"
            case (3, .varint(let value)): json = String(Int64(bitPattern: value))
            case (4, .fixed64(let bits)): json = Self.number(Double(bitPattern: bits))
            case (5, .bytes(let range)): json = try array(range, depth: depth + 1)
            case (6, .bytes(let range)): json = try keyValues(range, number: 1, depth: depth + 1)
            case (7, .bytes(let range)): json = JSONText.string(Data(body[range]).base64EncodedString())
            default: break
            }
        }
        return json
    }

    private func array(_ range: Range<Int>, depth: Int) throws(ProtobufError) -> String {
        var elements: [String] = []
        var reader = ProtobufReader(body, range)
        while let (number, content) = try reader.next() {
            if number == 1, case .bytes(let range) = content { elements.append(try value(range, depth: depth)) }
        }
        return JSONText.array(elements)
    }

    private func hex(_ range: Range<Int>) -> String {
        body[range].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
