/// One file of SQL: its name without the ending, and its text.
package struct SQLFile: Sendable {
    package let name: String
    package let text: String

    init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }
}
