/// One file of the dashboard: its name, by which the page asks for it, and its bytes.
package struct DashboardFile: Sendable {
    package let name: String
    package let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
