import DashboardFiles

/// The dashboard's files by name, as they are asked for under `/assets/`.
struct AssetCatalog: Sendable {
    /// The name under which the page asks for Chart.js.
    static let charts = "chart.js"

    let page: Asset
    private let assets: [String: Asset]

    /// - Parameter charts: Chart.js; without it the page shows tables alone.
    init(charts: [UInt8]?) {
        page = Asset(name: DashboardFiles.page.name, bytes: DashboardFiles.page.bytes)
        var assets: [String: Asset] = [:]
        for file in DashboardFiles.assets { assets[file.name] = Asset(name: file.name, bytes: file.bytes) }
        if let charts { assets[Self.charts] = Asset(name: Self.charts, bytes: charts) }
        self.assets = assets
    }

    subscript(name: String) -> Asset? { assets[name] }
}
