/// The files of the folder `web`, embedded in the binary.
///
/// The program serves only the files in this list. A test compares the list with the folder.
package enum DashboardFiles {
    /// The dashboard, served at all of its addresses.
    package static let page = DashboardFile("index.html", PackageResources.index_html)
    /// The login page.
    package static let login = DashboardFile("login.html", PackageResources.login_html)

    /// The files that both pages load.
    package static let assets: [DashboardFile] = [
        DashboardFile("actions.js", PackageResources.actions_js),
        DashboardFile("activity.js", PackageResources.activity_js),
        DashboardFile("alerts.js", PackageResources.alerts_js),
        DashboardFile("api.js", PackageResources.api_js),
        DashboardFile("app.js", PackageResources.app_js),
        DashboardFile("attention.js", PackageResources.attention_js),
        DashboardFile("blocks.js", PackageResources.blocks_js),
        DashboardFile("campaign.js", PackageResources.campaign_js),
        DashboardFile("category.js", PackageResources.category_js),
        DashboardFile("charts.js", PackageResources.charts_js),
        DashboardFile("connection.js", PackageResources.connection_js),
        DashboardFile("curve.js", PackageResources.curve_js),
        DashboardFile("dom.js", PackageResources.dom_js),
        DashboardFile("favicon.svg", PackageResources.favicon_svg),
        DashboardFile("filters.js", PackageResources.filters_js),
        DashboardFile("findings.js", PackageResources.findings_js),
        DashboardFile("format.js", PackageResources.format_js),
        DashboardFile("health.js", PackageResources.health_js),
        DashboardFile("heatmap.js", PackageResources.heatmap_js),
        DashboardFile("lift.js", PackageResources.lift_js),
        DashboardFile("live.js", PackageResources.live_js),
        DashboardFile("overview.js", PackageResources.overview_js),
        DashboardFile("panel.js", PackageResources.panel_js),
        DashboardFile("parameters.js", PackageResources.parameters_js),
        DashboardFile("period.js", PackageResources.period_js),
        DashboardFile("rates.js", PackageResources.rates_js),
        DashboardFile("report.js", PackageResources.report_js),
        DashboardFile("reports.js", PackageResources.reports_js),
        DashboardFile("result.js", PackageResources.result_js),
        DashboardFile("route.js", PackageResources.route_js),
        DashboardFile("stream.js", PackageResources.stream_js),
        DashboardFile("styles.css", PackageResources.styles_css),
        DashboardFile("table.js", PackageResources.table_js),
        DashboardFile("theme.js", PackageResources.theme_js),
        DashboardFile("tips.js", PackageResources.tips_js),
        DashboardFile("value.js", PackageResources.value_js),
        DashboardFile("variants.js", PackageResources.variants_js),
        DashboardFile("verdict.js", PackageResources.verdict_js),
    ]
}
