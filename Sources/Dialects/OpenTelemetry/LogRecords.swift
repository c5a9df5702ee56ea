/// The log records of a request that may be events, found without decoding any of them.
///
/// A whole application's log may come, of which few records, or none, are events of notifications. So the names are
/// looked at first, and only what a name makes interesting is decoded.
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
        var resource: Range<Int>?
    }

    /// The number of records with a name, or with native fields, that are read of one request.
    static let limit = ForeignBody.limit
    /// The number of all records of one request.
    static let totalLimit = 100_000

    let encoding: OpenTelemetryEncoding
    var count = 0
    var named: [Record] = []

    init(_ encoding: OpenTelemetryEncoding) {
        self.encoding = encoding
    }

    mutating func countRecord() throws(DialectError) {
        count += 1
        if count > Self.totalLimit { throw .tooManyEvents(limit: Self.totalLimit) }
    }

    /// Adds the record that was counted last, if it may be an event.
    mutating func add(
        _ name: String, statesFields: Bool, _ content: Range<Int>
    ) throws(DialectError) {
        guard !name.isEmpty || statesFields else { return }
        guard named.count < Self.limit else { throw .tooManyEvents(limit: Self.limit) }
        named.append(Record(index: count - 1, name: name, statesFields: statesFields, content: content))
    }

    /// Sets the resource of the records from a position on, because a sender may write the records before it.
    mutating func setResource(_ resource: Range<Int>?, from first: Int) {
        for position in first..<named.count { named[position].resource = resource }
    }
}

extension LogRecords {
    /// Names of attributes that make a log record interesting.
    enum Key {
        /// The name of the event, where older SDKs put it.
        static let eventName: StaticString = "event.name"
        static let native: StaticString = "afterpush"
    }
}
