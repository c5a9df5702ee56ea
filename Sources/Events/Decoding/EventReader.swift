import JSON

/// Gathers what is known of one event while its members are read.
struct EventReader {
    let start: Int
    private let firstField: Int
    private var stated: UInt64 = 0
    /// The first flaw; one that makes the event no JSON goes before one that breaks our rules.
    private var flaw: EventParseFailure?
    /// The first fault that makes the event no JSON, and where it is.
    private(set) var syntaxFault: (kind: JSONTokenFailure, offset: Int)?

    init(start: Int, fields: Int) {
        self.start = start
        firstField = fields
    }

    mutating func note(_ flaw: EventParseFailure) {
        if self.flaw == nil { self.flaw = flaw }
    }

    /// The event's next member, the scanner then being at its value; nil behind the event.
    mutating func nextMember(_ scanner: inout JSONScanner, isFirst: inout Bool) throws(JSONSyntaxError) -> MemberName? {
        guard let key = try scanner.nextMember(isFirst: &isFirst) else { return nil }
        noteFault(&scanner, in: nil)
        return MemberName(key: key, bytes: scanner.bytes)
    }

    /// Reads the value of a member and notes what is wrong with it.
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
