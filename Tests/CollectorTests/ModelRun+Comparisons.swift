import ReferenceModel
import TestSupport
import Testing

extension ModelRun {
    /// The reports that compare variants, and devices by what they had before, against their recomputation.
    ///
    /// - Parameter step: asks for every so-manyth selection.
    func expectComparisonsEqualModel(_ label: String, step: Int = 1) async throws {
        for (index, selection) in scenario.selections.enumerated() where index % step == 0 {
            for report in ModelledReport.comparisons {
                try await expect(report, selection, "\(label), selection \(index)", client: index % 2)
            }
        }
    }

    private func expect(
        _ report: ModelledReport, _ selection: Selection, _ label: String, client: Int
    ) async throws {
        guard let declarations = scenario.declarations[selection.app], let app = apps[selection.app] else { return }
        let query = report.query(selection)
        let answer = try await collectors.clients[client].get(
            TestClient.path("/v1/reports/\(report.name)", query), key: app.readKey)
        guard answer.status == 200 else {
            Issue.record("\(label), \(report.name): \(answer.status) \(answer.text)")
            return
        }
        var selection = selection
        selection.asOf = try Self.asOf(answer)
        let model = report.rows(scenario.events, declarations, selection)
        if let found = difference(model: model, served: try ServedReport(json: answer.body)) {
            Issue.record("\(label), \(report.name), \(query):\n\(found)")
        }
    }
}
