import HTTPTypes
import JSON

extension HTTPRequest {
    /// Whether a request over HTTP/2 can be read in only one way, as `RequestSmugglingFilter` says of HTTP/1.1.
    ///
    /// NIO refuses everything else that is malformed. It accepts a missing or invalid host, a second one, which a server
    /// in front or behind could prefer, a length with a sign, and text in the scheme that would be part of a URL.
    var isClear: Bool {
        guard headerFields.allSatisfy({ !$0.value.hasManyCombiningMarks }), path?.hasManyCombiningMarks != true else {
            return false
        }
        guard scheme == "https" || scheme == "http" else { return false }
        let hosts = headerFields[values: .hostOverHTTP2]
        guard let host = authority ?? hosts.first, host.isHost, hosts.count <= 1,
            hosts.allSatisfy({ $0.lowercased() == host.lowercased() })
        else { return false }
        return headerFields[values: .contentLength].allSatisfy { length in
            length.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
    }
}

extension HTTPField.Name {
    /// `Host`, which is a field only over HTTP/2.
    fileprivate static let hostOverHTTP2 = HTTPField.Name("Host") ?? .server
}
