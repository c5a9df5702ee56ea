package import AfterpushWire
import Crypto
import Foundation

/// A snapshot of the erased devices and of the time that retention has sealed, whose events are rejected.
package struct SuppressionList: Sendable {
    /// The time before which events are rejected, or `nil` while nothing is sealed.
    package var oldest: Timestamp?
    /// The position in the database's list up to which this one has all entries.
    package var position: Int64 = 0
    private var keys: [DeviceKey] = []
    /// The states after the keys, from which hashes begin.
    private var starts: [HMAC<SHA256>] = []
    private var hashes: [Int32: Set<[UInt8]>] = [:]

    package init() {}

    /// Adds an erased device.
    package mutating func add(_ hash: [UInt8], by key: DeviceKey, app: Int32) {
        if !keys.contains(key) {
            keys.append(key)
            starts.append(key.start)
        }
        hashes[app, default: []].insert(hash)
    }

    /// The number of erased devices of all apps.
    package var count: Int { hashes.values.reduce(0) { $0 + $1.count } }

    /// Whether the device was erased, under this ID or the same without the white space around it.
    package func names(_ device: String, app: Int32) -> Bool {
        // Most apps have erased no device, so the check costs them nothing.
        guard let hashes = hashes[app] else { return false }
        return isListed(Array(device.utf8), in: hashes)
    }

    /// Returns the erased devices that a rejected event names, however many texts it has.
    package func devices(namedIn event: String, app: Int32) -> Set<String> {
        guard let hashes = hashes[app] else { return [] }
        let ids = RejectedEventTexts(event, limit: .max).texts.flatMap { text in
            Self.ids(in: Array(String(decoding: text, as: UTF8.self).utf8))
        }
        return Set(ids.filter { hasHash($0, in: hashes) }.map { String(decoding: $0, as: UTF8.self) })
    }

    private func isListed(_ device: [UInt8], in hashes: Set<[UInt8]>) -> Bool {
        Self.ids(in: device).contains { hasHash($0, in: hashes) }
    }

    /// Returns a text and, if there is white space around it, the text without.
    private static func ids(in text: [UInt8]) -> [[UInt8]] {
        guard let first = text.first, let last = text.last, !first.isVisible || !last.isVisible else { return [text] }
        let trimmed = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.utf8.count == text.count ? [text] : [text, Array(trimmed.utf8)]
    }

    private func hasHash(_ id: [UInt8], in hashes: Set<[UInt8]>) -> Bool {
        starts.contains { start in
            var hash = start
            hash.update(data: id)
            return hashes.contains(Array(hash.finalize()))
        }
    }

    /// The app's part of the list, with which its rejected events are searched.
    func search(ofApp app: Int32) -> RejectedEventSearch {
        guard let hashes = hashes[app] else { return RejectedEventSearch(until: position, isListed: nil) }
        return RejectedEventSearch(until: position) { isListed($0, in: hashes) }
    }

    /// Whether any device of the app was erased.
    func nameAny(ofApp app: Int32) -> Bool {
        hashes[app] != nil
    }

    func check(_ device: String?, app: Int32) throws(EventValidationError) {
        if let device, names(device, app: app) { throw .suppressed }
    }

    func check(_ time: Timestamp) throws(EventValidationError) {
        if let oldest, time < oldest { throw .sealed }
    }
}

extension EventValidationError {
    fileprivate static let suppressed = EventValidationError(.deviceSuppressed, "the device was erased")
    static let sealed = EventValidationError(.occurredAtOutOfRange, "occurred_at is older than the retention period")

    /// The reason for an event that the database excludes.
    package static func excluded(isLate: Bool) -> (code: RejectionCode, detail: String) {
        let refusal = isLate ? sealed : suppressed
        return (refusal.code, refusal.detail)
    }
}

/// A key with which the IDs of erased devices are hashed, so that the list does not reveal them.
package struct DeviceKey: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the HMAC-SHA-256 of a device's ID, as the database's `device_hash` computes it.
    package func hash(of device: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Data(device.utf8), using: SymmetricKey(data: bytes)))
    }

    fileprivate var start: HMAC<SHA256> { HMAC(key: SymmetricKey(data: bytes)) }
}

extension UInt8 {
    /// Whether the byte is a character of ASCII that is no white space.
    fileprivate var isVisible: Bool { self > 0x20 && self < 0x7F }
}
