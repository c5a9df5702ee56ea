/// A file of the dashboard: its name in the page's URLs, and its bytes.
package struct DashboardFile: Sendable {
    package let name: String
    package let bytes: [UInt8]

    init(_ name: String, _ text: String) {
        self.name = name
        self.bytes = Array(text.utf8)
    }
}
