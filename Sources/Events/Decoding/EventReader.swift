import JSON

/// Collects the fields and faults of an event while its members are read.
struct EventReader {
    let start: Int
    private let firstField: Int
    private var stated: UInt64 = 0
    /// The first flaw; a syntax error takes precedence over a violated rule.
    private var flaw: EventParseFailure?
    /// The first syntax error and its position.
    private(set) var syntaxFault: (kind: JSONTokenFailure, offset: Int)?

    init(start: Int, fields: Int) {
        self.start = start
        firstField = fields
    }

    mutating func note(_ flaw: EventParseFailure) {
        if self.flaw == nil { self.flaw = flaw }
    }

    /// Reads the name of the event's next member and stops at its value; returns `nil` at the end of the event.
    mutating func nextMember(_ scanner: inout JSONScanner, isFirst: inout Bool) throws(JSONSyntaxError) -> MemberName? {
        guard let key = try scanner.nextMember(isFirst: &isFirst) else { return nil }
        noteFault(&scanner, in: nil)
        return MemberName(key: key, bytes: scanner.bytes)
    }

    /// Reads the value of a member and records its faults.
    mutating func readValue(_ scanner: inout JSONScanner, of member: MemberName) throws(JSONSyntaxError) -> RawField {
        let value = try scanner.scanValue(depth: 1)
        let name = member.field
        noteFault(&scanner, in: name)
        if name != .unknown {
            if stated & name.bit != 0 { note(.duplicate(name)) }
            stated |= name.bit
        }
        return RawField(name: name, key: member.key, value: value)
    }

    private mutating func noteFault(_ scanner: inout JSONScanner, in field: FieldName?) {
        guard let fault = scanner.takeFault() else { return }
        if fault.kind.isSyntax, syntaxFault == nil {
            syntaxFault = fault
            flaw = .token(fault.kind, field)
        } else {
            note(.token(fault.kind, field))
        }
    }

    func finish(end: Int, fields: Int, limit: Int) -> RawEvent {
        let flaw = self.flaw ?? (end - start > limit ? .tooLong(limit: limit) : nil)
        return RawEvent(bytes: start..<end, fields: firstField..<fields, stated: stated, flaw: flaw)
    }
}

/// The name of an object's member: its position and the event field that it means.
struct MemberName {
    let key: StringToken
    let field: FieldName
    /// The name with its escapes resolved, or `nil` when it has none.
    private let unescaped: [UInt8]?

    init(key: StringToken, bytes: [UInt8]) {
        self.key = key
        if key.hasEscapes {
            let text = JSONText.unescape(bytes, key.start..<key.end)
            field = FieldName(key: text.span)
            unescaped = text
        } else {
            field = FieldName(key: bytes.span.extracting(key.start..<key.end))
            unescaped = nil
        }
    }

    /// Whether the name equals a text, with or without escapes.
    func equals(_ text: StaticString, in bytes: [UInt8]) -> Bool {
        if let unescaped { return unescaped.span.equals(text) }
        return bytes.span.extracting(key.start..<key.end).equals(text)
    }
}
