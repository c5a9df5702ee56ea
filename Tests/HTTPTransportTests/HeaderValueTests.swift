import HTTPTypes
import Testing

@testable import HTTPTransport

/// Tests how headers are read.
struct HeaderValueTests {
    @Test func `the value of a header is the same as that of the subscript`() {
        let fields: HTTPFields = [.contentType: "a/b", .accept: "c", .cookie: "d", .via: ""]
        var repeated = fields
        for name in [HTTPField.Name.accept, .cookie] { repeated.append(HTTPField(name: name, value: "e")) }
        for name in [HTTPField.Name.contentType, .accept, .cookie, .via, .authorization] {
            #expect(fields.value(of: name) == fields[name], "\(name)")
            #expect(repeated.value(of: name) == repeated[name], "\(name)")
        }
        #expect(repeated.value(of: .accept) == "c, e")
    }
}
