import JSON

/// Tells which rejected events can mention some devices, so that the database looks closely at few.
///
/// They are at least those in which the database's functions `rejected_event_content` and `says_id` find an ID. It takes
/// time with the length of the event, hardly more for many devices than for one.
package struct DeviceMentions: Sendable {
    /// The IDs; `nil` if the database reads one of them in more ways than this.
    private let ids: WantedTexts?

    package init(of devices: [String]) {
        let ids = devices.map { Array($0.utf8) }
        self.ids = ids.allSatisfy(Self.isPlain) ? WantedTexts(ids) : nil
    }

    /// Whether an ID is read in one way only. A zero behind base64 counts as a blank.
    private static func isPlain(_ id: [UInt8]) -> Bool {
        !id.isEmpty
            && id.allSatisfy { byte in
                byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "%")
            }
    }

    /// Whether the text of a rejected event can mention any of the devices.
    package func isPossible(in event: String) -> Bool {
        guard let ids else { return true }
        let readings = RejectedEventTexts.readings(of: Array(event.utf8))
        if ids.isAny(in: readings) { return true }
        return Base64Runs(readings, with: ids).texts.contains { text in
            ids.isAny(in: text) || ids.isAny(in: JSONText.unescape(text, text.indices, keepsUnknown: false))
        }
    }
}
