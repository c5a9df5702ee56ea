/// The labels of a metric: a type with a fixed list of values.
///
/// Received text can't become a label, so a sender can't create series: a value that isn't in `allCases` isn't counted.
package protocol Labels: Hashable, Sendable, CaseIterable {
    /// Whether to omit series that were never counted. Otherwise they are 0 from the start, so that the first failure is
    /// visible as an increase.
    static var isSparse: Bool { get }

    /// The names and values, in the order in which they are written.
    var pairs: [(name: String, value: String)] { get }
}

extension Labels {
    package static var isSparse: Bool { false }
}

/// The label of a metric with a single label.
package protocol Label: Labels, RawRepresentable<String> {
    static var labelName: String { get }
}

extension Label {
    package var pairs: [(name: String, value: String)] { [(Self.labelName, rawValue)] }
}

/// The labels of a metric with a single series.
package enum NoLabels: Labels {
    case none

    package var pairs: [(name: String, value: String)] { [] }
}
