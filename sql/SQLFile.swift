/// One file of SQL: its name without the ending, and its text.
package struct SQLFile: Sendable {
    package let name: String
    package let text: String

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.text = String(decoding: bytes, as: UTF8.self)
    }
}
