import AfterpushWire
package import JSON

/// A time as other systems write it.
package enum ForeignTime {
    /// Returns the moment that a value states as a native time, or `nil` if it states none.
    ///
    /// A text is a date and a time in the forms of ISO 8601, with `T` or a space, and UTC if it has no zone. A number
    /// counts from 1970: in seconds below 1e11, milliseconds below 1e14, microseconds below 1e17, else nanoseconds.
    package static func text(_ value: JSONElement?) -> String? {
        guard let text = value?.text else { return nil }
        return self.text(text)
    }

    package static func text(_ text: String) -> String? {
        guard text.isShort else { return nil }
        if Timestamp(text) != nil { return text }
        if let number = Double(text) { return number.isFinite ? self.text(number) : nil }
        let normal = normalized(text)
        return Timestamp(normal) == nil ? nil : normal
    }

    /// Returns the offset from UTC that a text states in minutes, or `nil` without one, or for UTC itself.
    package static func offsetMinutes(_ text: String) -> Int? {
        guard text.isShort else { return nil }
        if text.utf8.last == UInt8(ascii: "Z") { return nil }
        let zone = normalized(text).suffix(6)
        guard let sign = zone.first, sign == "+" || sign == "-",
            let hours = Int(zone.dropFirst().prefix(2)), let minutes = Int(zone.suffix(2))
        else { return nil }
        let offset = hours * 60 + minutes
        return offset == 0 ? nil : sign == "-" ? -offset : offset
    }

    /// Returns the moment of a number of seconds or of a fraction of them since 1970.
    package static func text(_ number: Double) -> String? {
        let microseconds =
            switch number.magnitude {
            case ..<1e11: number * 1e6
            case ..<1e14: number * 1e3
            case ..<1e17: number
            default: number / 1e3
            }
        guard let exact = Int64(exactly: microseconds.rounded()) else { return nil }
        let time = Timestamp(microseconds: exact)
        return time < .earliest || time > .latest ? nil : time.description
    }

    /// Brings a text into the form of RFC 3339: `2026-06-01 10:00:00 UTC` becomes `2026-06-01T10:00:00Z`.
    private static func normalized(_ text: String) -> String {
        var text = text
        while let last = text.last, last == " " { text.removeLast() }
        for zone in [" UTC", " GMT", "UTC"] where text.hasSuffix(zone) { text = text.dropLast(zone.count) + "Z" }
        guard text.utf8.count >= 19 else { return text }
        var bytes = Array(text.utf8)
        if bytes[10] == 0x20 { bytes[10] = UInt8(ascii: "T") }
        var zone = bytes[19...].firstIndex { !(0x30...0x39).contains($0) && $0 != UInt8(ascii: ".") }
        if let start = zone, bytes[start] == 0x20 {
            bytes.remove(at: start)
            zone = start < bytes.count ? start : nil
        }
        guard let zone else { return String(decoding: bytes, as: UTF8.self) + "Z" }
        let offset = bytes[zone...]
        if offset.first == UInt8(ascii: "+") || offset.first == UInt8(ascii: "-") {
            if offset.count == 3 { bytes += Array(":00".utf8) }
            if offset.count == 5 { bytes.insert(UInt8(ascii: ":"), at: zone + 3) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
