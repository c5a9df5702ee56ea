import Foundation

/// The header `Retry-After`.
enum RetryAfter {
    /// A collector never asks for more.
    private static let longest = 3_600.0

    /// Seconds from now on; nil if there is no such header, or it can't be read.
    static func seconds(_ text: String?, now: Date) -> Double? {
        guard let text = text?.trimmingCharacters(in: .whitespaces) else { return nil }
        let seconds = Double(text) ?? date(text).map { $0.timeIntervalSince(now) }
        return seconds.flatMap { $0.isFinite ? min(longest, max(0, $0)) : nil }
    }

    private static func date(_ text: String) -> Date? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.date(from: text)
    }
}
