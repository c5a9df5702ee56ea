package import AfterpushWire

/// The limits for requests and events. All sizes are in bytes, those of texts in bytes of UTF-8.
package struct Limits: Sendable {
    /// The number of events in a request.
    package var events = 5_000
    /// The size of an event as it was sent.
    package var eventBytes = 32 * 1024
    /// The nesting depth of brackets, including the event's own.
    package var depth = 32
    /// The size of each text that has no limit of its own.
    package var identifierBytes = 256
    package var userTextBytes = 4 * 1024
    package var receiptBytes = 4 * 1024
    /// The size of the stored properties, including unknown fields.
    package var propertiesBytes = 4 * 1024
    /// The number of digits of a number in the properties. PostgreSQL would return 1e300 with three hundred digits.
    package var numberDigits = 64
    /// The maximum lead of an event's corrected time over the collector's clock, in microseconds.
    package var futureMicroseconds: Int64 = 24 * 3_600 * 1_000_000
    /// The time before which events are rejected because retention has sealed it, or `nil` for no such limit.
    package var oldest: Timestamp?

    package init() {}
}
