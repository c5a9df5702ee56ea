import ReferenceModel

/// A report that the model recomputes, as it is asked for.
struct ModelledReport: Sendable {
    let name: String
    /// Parameters of its own, besides those of the selection.
    var own: [(String, String)] = []
    /// Parameters of a selection that it doesn't have.
    var without: Set<String> = []
    let rows: @Sendable ([ModelEvent], Declarations, Selection) -> [ModelRow]

    static let comparisons: [ModelledReport] = [
        ModelledReport(name: "experiment", without: ["by", "variant"]) {
            experimentReport(events: $0, declarations: $1, selection: $2)
        },
        ModelledReport(name: "fatigue", without: ["by"]) {
            fatigueReport(events: $0, declarations: $1, selection: $2)
        },
        ModelledReport(name: "influence", without: ["per", "min_n"]) {
            influenceReport(events: $0, declarations: $1, selection: $2)
        },
        ModelledReport(name: "influence", own: [("window", "25h"), ("baseline", "true")], without: ["per", "min_n"]) {
            influenceReport(events: $0, declarations: $1, selection: $2, window: 25 * 3600, baseline: true)
        },
    ]

    func query(_ selection: Selection) -> [(String, String)] {
        selection.query(for: "conversion").filter { !without.contains($0.0) } + own
    }
}
