import AfterpushWire
import Foundation

@testable import AfterpushClient

enum Sample {
    typealias Time = Timestamp

    static let url = URL(fileURLWithPath: "/").absoluteURL
    static let notification = NotificationReference("n1", campaignID: "spring", variant: "b", categoryID: "sale")

    static func json(_ number: Int, bytes: Int = 40) -> [UInt8] {
        let text = "{\"number\":\(number),\"filler\":\""
        return Array((text + String(repeating: "x", count: max(0, bytes - text.utf8.count - 2)) + "\"}").utf8)
    }

    /// The number of an event that `json` made.
    static func number(_ json: [UInt8]) -> Int? {
        (try? JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])?["number"] as? Int
    }
}

extension DiskQueue {
    /// Records an event that has a number.
    @discardableResult
    func append(_ number: Int, bytes: Int = 40, at time: Timestamp = Clock.now()) throws -> Bool {
        try append(at: time) { _ in Sample.json(number, bytes: bytes) }
    }

    /// The numbers of all waiting events.
    func numbers() -> [Int] {
        nextBatch(BatchLimits(events: 1_000_000, bytes: 1 << 30)).events.compactMap(Sample.number)
    }

    /// Acknowledges all events batch by batch, and returns their numbers in that order.
    func drain(_ limits: BatchLimits = BatchLimits(events: 7)) -> [Int] {
        var numbers: [Int] = []
        while true {
            let batch = nextBatch(limits)
            if batch.positions.isEmpty { return numbers }
            numbers += batch.events.compactMap(Sample.number)
            acknowledge(batch)
        }
    }
}
