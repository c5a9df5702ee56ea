import TestSupport
import Testing

struct MappingsCommandTests {
    @Test(arguments: ["{}", #"{"mapping":[]}"#, #"{"device_order":["user_id"]}"#, #"{"mappings":null}"#])
    func `a file that states no mappings is refused, and the mappings stay`(text: String) async throws {
        let app = try await TestApp()
        func mappings(_ arguments: String..., input: String? = nil) async throws -> Program.Output {
            try await Program.run(["mappings"] + arguments + ["--database-url", app.conninfo], input: input)
        }
        let stated = #"{"mappings":[{"event":"Push Seen","kind":"displayed"}]}"#
        #expect(try await mappings("import", "-", input: stated).status == 0)
        let refused = try await mappings("import", "-", input: text)
        #expect(refused.status != 0 && refused.error.contains("no member \"mappings\""), "\(refused)")
        #expect(try await mappings("show").output.contains("Push Seen"))
        #expect(try await mappings("import", "-", input: #"{"mappings":[]}"#).status == 0)
        #expect(try await !mappings("show").output.contains("Push Seen"))
    }
}
