import AfterpushWire

extension Timestamp {
    /// Returns the time some seconds later, in whole milliseconds like the clocks of devices.
    func advanced(by seconds: Double) -> Timestamp {
        let milliseconds = microseconds / 1_000 + Int64(seconds * 1_000)
        return Timestamp(microseconds: milliseconds * 1_000)
    }

    func seconds(until later: Timestamp) -> Double {
        Double(later.microseconds - microseconds) / 1_000_000
    }
}
