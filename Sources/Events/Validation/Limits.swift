package import AfterpushWire

/// How much of everything is taken. All sizes are bytes, of text those of its UTF-8.
package struct Limits: Sendable {
    /// Events in a request.
    package var events = 5_000
    /// One event, as it was sent.
    package var eventBytes = 32 * 1024
    /// Brackets open at once, the event's own included.
    package var depth = 32
    /// Every text that has no limit of its own.
    package var identifierBytes = 256
    package var userTextBytes = 4 * 1024
    package var receiptBytes = 4 * 1024
    /// The properties as they are kept, unknown fields among them.
    package var propertiesBytes = 4 * 1024
    /// Digits of a number in the properties. PostgreSQL gives 1e300 back as three hundred.
    package var numberDigits = 64
    /// How far ahead of the collector's clock an event's corrected time may be, in microseconds.
    package var futureMicroseconds: Int64 = 24 * 3_600 * 1_000_000
    /// Events before this moment are rejected: what retention has sealed. Nil takes all that can be written.
    package var oldest: Timestamp?

    package init() {}
}
