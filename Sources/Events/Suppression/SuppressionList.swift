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
    private var hashes: [Int32: Set<[UInt8]>] = [:]

    package init() {}

    /// Adds an erased device.
    package mutating func add(_ hash: [UInt8], by key: DeviceKey, app: Int32) {
        if !keys.contains(key) { keys.append(key) }
        hashes[app, default: []].insert(hash)
    }

    /// The number of erased devices of all apps.
    package var count: Int { hashes.values.reduce(0) { $0 + $1.count } }

    /// Whether the device was erased, under this ID or the same without the white space around it.
    package func names(_ device: String, app: Int32) -> Bool {
        // Most apps have erased no device, so the check costs them nothing.
        guard let hashes = hashes[app] else { return false }
        return isListed(device, in: hashes)
    }

    private func isListed(_ device: String, in hashes: Set<[UInt8]>) -> Bool {
        let trimmed = device.trimmingCharacters(in: .whitespacesAndNewlines)
        let ids = trimmed.utf8.count == device.utf8.count ? [device] : [device, trimmed]
        return keys.contains { key in ids.contains { hashes.contains(key.hash(of: $0)) } }
    }

    /// Looks for erased devices in a rejected event of an app.
    ///
    /// Nothing is kept of an event that mentions one, even if it states another device. One with more texts than are
    /// searched loses its content. All others are marked, so that the database doesn't search them again, which costs it
    /// up to 14 microseconds per byte.
    func checked(_ rejection: Rejection, app: Int32) -> Rejection {
        guard let hashes = hashes[app], rejection.code != .deviceSuppressed, let event = rejection.submittedEvent else {
            return rejection.checked(until: position)
        }
        let found = RejectedEventTexts(event)
        // A client could send the device's ID as the event's, behind more texts than are searched.
        let isMentioned =
            rejection.eventID.map { isListed($0, in: hashes) } ?? false
            || found.texts.contains { isListed(String(decoding: $0, as: UTF8.self), in: hashes) }
        guard isMentioned || found.isIncomplete else { return rejection.checked(until: position) }
        return (isMentioned ? rejection.suppressed : rejection.withoutEvent).checked(until: position)
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
}
