import AfterpushWire
import Foundation

/// The body of a request, made of events as they were recorded.
enum RequestBody {
    static func make(_ events: [[UInt8]], sentAt: Timestamp) -> [UInt8] {
        var body = Array(#"{"sent_at":"\#(sentAt)","events":["#.utf8)
        body.reserveCapacity(body.count + events.reduce(2) { $0 + $1.count + 1 })
        for (place, event) in events.enumerated() {
            if place > 0 { body.append(UInt8(ascii: ",")) }
            body += event
        }
        body += Array("]}".utf8)
        return body
    }
}
