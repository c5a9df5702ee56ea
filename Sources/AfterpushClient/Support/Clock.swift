import AfterpushWire
import Dispatch
import Foundation

/// The device's clocks.
enum Clock {
    /// Returns the time of day, which events state. People and the network can set it.
    static func now() -> Timestamp {
        Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
    }

    /// Returns the seconds of a monotonic clock, for waiting.
    static func uptime() -> Double {
        Double(DispatchTime.now().uptimeNanoseconds) / 1_000_000_000
    }
}
