// Draws the reports that are more than a table: a heatmap, a curve, events over time, a funnel, a rate per day.

import { activity } from "./activity.js";
import { funnel } from "./blocks.js";
import { loadCharts } from "./charts.js";
import { survivalCurve } from "./curve.js";
import { heatmap } from "./heatmap.js";
import { groupedRates } from "./rate-chart.js";
import { variants } from "./variants.js";

const drawings = {
    heatmap: (result) => heatmap(result),
    "response-time": (result) => result.parameters.curve && result.rows.length > 1 ? survivalCurve(result) : null,
    timeseries: (result, address) => result.rows.length > 1 ? activity(result, address, result.parameters.by ?? "day") : null,
    funnel: (result) => result.parameters.by ? null : funnel(result),
    conversion: (result, address) => groupedRates(result, address),
    experiment: (result) => areOfOneCampaign(result) ? variants(result).slice(0, 1) : null,
};

/** Whether results of a report can be drawn. */
export function isDrawn(report) {
    return Object.hasOwn(drawings, report);
}

/** The drawing of a report's result, or null if its table says it best. */
export function drawing(result, address) {
    if (result.rows.length === 0) return null;
    loadCharts();
    return drawings[result.report](result, address);
}

function areOfOneCampaign({ rows }) {
    return new Set(rows.map((row) => row.campaign_id)).size === 1;
}
