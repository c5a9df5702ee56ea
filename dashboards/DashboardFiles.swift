/// The files of the folder `web`, embedded in the binary.
///
/// The program serves only the files in this list. A test compares the list with the folder.
package enum DashboardFiles {
    /// The dashboard, served at all of its addresses.
    package static let page = DashboardFile("index.html", PackageText.index_html)
    /// The login page.
    package static let login = DashboardFile("login.html", PackageText.login_html)

    /// The files that both pages load.
    package static let assets: [DashboardFile] = [
        DashboardFile("action-variants.js", PackageText.action_variants_js),
        DashboardFile("actions.js", PackageText.actions_js),
        DashboardFile("activity.js", PackageText.activity_js),
        DashboardFile("alerts.js", PackageText.alerts_js),
        DashboardFile("api.js", PackageText.api_js),
        DashboardFile("app.js", PackageText.app_js),
        DashboardFile("attention.js", PackageText.attention_js),
        DashboardFile("blocks.js", PackageText.blocks_js),
        DashboardFile("campaign.js", PackageText.campaign_js),
        DashboardFile("category.js", PackageText.category_js),
        DashboardFile("charts.js", PackageText.charts_js),
        DashboardFile("connection.js", PackageText.connection_js),
        DashboardFile("curve.js", PackageText.curve_js),
        DashboardFile("dialog.js", PackageText.dialog_js),
        DashboardFile("dom.js", PackageText.dom_js),
        DashboardFile("downloads.js", PackageText.downloads_js),
        DashboardFile("drawing.js", PackageText.drawing_js),
        DashboardFile("favicon.svg", PackageText.favicon_svg),
        DashboardFile("filters.js", PackageText.filters_js),
        DashboardFile("findings.js", PackageText.findings_js),
        DashboardFile("format.js", PackageText.format_js),
        DashboardFile("health.js", PackageText.health_js),
        DashboardFile("heatmap.js", PackageText.heatmap_js),
        DashboardFile("lift.js", PackageText.lift_js),
        DashboardFile("live.js", PackageText.live_js),
        DashboardFile("menu.js", PackageText.menu_js),
        DashboardFile("open.js", PackageText.open_js),
        DashboardFile("overview.js", PackageText.overview_js),
        DashboardFile("panel.js", PackageText.panel_js),
        DashboardFile("panelmenu.js", PackageText.panelmenu_js),
        DashboardFile("parameters.js", PackageText.parameters_js),
        DashboardFile("period.js", PackageText.period_js),
        DashboardFile("rate-chart.js", PackageText.rate_chart_js),
        DashboardFile("rates.js", PackageText.rates_js),
        DashboardFile("readable.js", PackageText.readable_js),
        DashboardFile("report.js", PackageText.report_js),
        DashboardFile("reports.js", PackageText.reports_js),
        DashboardFile("result.js", PackageText.result_js),
        DashboardFile("reveal.js", PackageText.reveal_js),
        DashboardFile("route.js", PackageText.route_js),
        DashboardFile("series.js", PackageText.series_js),
        DashboardFile("shared.js", PackageText.shared_js),
        DashboardFile("shares.js", PackageText.shares_js),
        DashboardFile("shortcuts.js", PackageText.shortcuts_js),
        DashboardFile("steps.js", PackageText.steps_js),
        DashboardFile("stream.js", PackageText.stream_js),
        DashboardFile("styles.css", PackageText.styles_css),
        DashboardFile("table.js", PackageText.table_js),
        DashboardFile("theme.js", PackageText.theme_js),
        DashboardFile("tips.js", PackageText.tips_js),
        DashboardFile("value.js", PackageText.value_js),
        DashboardFile("variants.js", PackageText.variants_js),
        DashboardFile("verdict.js", PackageText.verdict_js),
        DashboardFile("views.js", PackageText.views_js),
        DashboardFile("welcome.js", PackageText.welcome_js),
    ]
}
