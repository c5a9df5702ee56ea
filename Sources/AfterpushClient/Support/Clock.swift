import AfterpushWire
import Dispatch
import Foundation

/// The device's clocks.
enum Clock {
    /// The time of day: what events state.
    static func now() -> Timestamp {
        Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
    }

    /// Seconds of a clock that nobody sets, for waiting.
    static func ticks() -> Double {
        Double(DispatchTime.now().uptimeNanoseconds) / 1_000_000_000
    }
}
