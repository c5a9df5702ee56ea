import Instruments

/// Where the spool's events come from, as a label.
enum SpoolSource: String, Label {
    /// Answered 202.
    case spooled
    /// Left by an earlier run, or by another collector.
    case found

    static let labelName = "source"
}
