import JSON

/// Tells which rejected events can mention a device, so that the database looks closely at few.
///
/// It is at least those in which the database's functions `rejected_event_content` and `says_id` find the ID, and takes
/// time with the length of the event.
package struct DeviceMention: Sendable {
    private let id: [UInt8]
    /// What is looked for behind base64; `nil` if the ID is one that the database reads in more ways than this.
    private let encoded: EncodedText?

    package init(of device: String) {
        id = Array(device.utf8)
        // A zero behind base64 counts as a blank.
        let isPlain = id.allSatisfy { byte in
            byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "%")
        }
        encoded = isPlain && !id.isEmpty ? EncodedText(id) : nil
    }

    /// Whether the text of a rejected event can mention the device.
    package func isPossible(in event: String) -> Bool {
        guard let encoded else { return true }
        let readings = RejectedEventTexts.readings(of: Array(event.utf8))
        if readings.position(of: id) != nil { return true }
        return Base64Runs(readings, with: encoded).texts.contains { text in
            text.position(of: id) != nil
                || JSONText.unescape(text, text.indices, keepsUnknown: false).position(of: id) != nil
        }
    }
}
