/// A label of a metric: a type with a fixed list of values.
///
/// No text from outside can be a label, so a sender can't make series: what is not in `allCases` is not counted.
package protocol Labels: Hashable, Sendable, CaseIterable {
    /// Whether series that were never counted are left out; otherwise they are there as 0 from the start, so that a
    /// first failure is seen as an increase.
    static var isSparse: Bool { get }

    /// In the order of the text.
    var pairs: [(name: String, value: String)] { get }
}

extension Labels {
    package static var isSparse: Bool { false }
}

/// The label of a metric that has one.
package protocol Label: Labels, RawRepresentable<String> {
    static var labelName: String { get }
}

extension Label {
    package var pairs: [(name: String, value: String)] { [(Self.labelName, rawValue)] }
}

/// Of a metric that is one series.
package enum NoLabels: Labels {
    case none

    package var pairs: [(name: String, value: String)] { [] }
}
