// The overview: key metrics, activity, campaigns, and what needs attention.

import { campaigns, report } from "./api.js";
import { activity } from "./activity.js";
import { attention } from "./attention.js";
import { emptyPage, emptySelection, groupLink, groupTable, pageHead, refreshButton, tile, tiles } from "./blocks.js";
import { loadCharts } from "./charts.js";
import { comparison as compared } from "./compare.js";
import { announce, h } from "./dom.js";
import {
    count, duration, isMissing, none, percent, platformName, points, range, relative, time, wholePercent,
} from "./format.js";
import { heatmap } from "./heatmap.js";
import { openLimit } from "./open.js";
import { panel, shared } from "./panel.js";
import { missingText, whyMissing } from "./rates.js";
import { campaignHref, categoryHref, narrowing, withFilters } from "./route.js";
import { isShared } from "./shared.js";
import { loadSeries, metricChart, metricNamed, sparkline } from "./series.js";
import { welcome } from "./welcome.js";

const filters = ["period", "dates", "compare", "campaign", "category", "variant", "platform", "tz", "verified"];

/** The tiles: a metric of `overview`, its label, and the rate that is shown below a count. */
const numbers = [
    ["sent", "Sent", null],
    ["delivered", "Delivered", "delivery_rate"],
    ["response_rate", "Responded", null],
    ["action_rate", "Acted", null],
    ["conversion_rate", "Converted", null],
    ["dismiss_rate", "Dismissed", null],
];

/** Short explanations of the metrics: the definitions in `overview` describe its columns, and its rows are metrics. */
const explanations = {
    sent: ["Accepted by the push provider, as reported by your server."],
    delivered: ["Confirmed by any event from the device. The percentage is of sent."],
    response_rate: ["Opened, acted, replied or dismissed, as a share of the base."],
    action_rate: ["Used an action button or replied with text, as a share of the base."],
    conversion_rate: ["Used a goal action, or had a converted event, as a share of the base."],
    dismiss_rate: [
        "Dismissed, as a share of the deliveries that can report a dismissal. On iOS, those are the deliveries of "
            + "categories with the option customDismissAction.",
    ],
};

function render(address, signal) {
    const { parameters } = address;
    const headlines = shared(() => report("overview", parameters, signal));
    // Load the key metrics first, so that nothing else competes with them for database and connections.
    const load = async (name, more) => {
        await headlines().catch(() => {});
        return report(name, { ...parameters, ...more }, signal);
    };
    const byCampaign = shared(() => load("conversion", { by: "campaign" }));
    const series = shared(async () => {
        await headlines().catch(() => {});
        return loadSeries(address, parameters, numbers.map(([metric]) => metric), signal);
    });
    headlines().catch(() => {}).then(loadCharts);
    const chart = chartPanel(address, load, series);
    return [
        pageHead("Overview", { about: address.period.title, more: refreshButton() }),
        headline(address, headlines, series, chart, signal),
        compared(address, signal),
        isShared ? chart.place : h(
            "div", { class: "columns wide-left beside" },
            chart.place,
            attention(address, signal, headlines, byCampaign),
        ),
        campaignPanel(address, byCampaign),
        h("div", { class: "columns" }, categoryPanel(load), platformPanel(load)),
        panel({
            title: "Response rate by hour of sending", id: "heatmap",
            about: h("span", { class: "muted" }, `hours in ${address.zone}`),
            load: () => load("heatmap"),
            render: (result) => heatmap(result) ?? emptySelection(),
        }),
    ];
}

/** The panel of the chart, which shows all events or the metric of a tile: `{ place, metric(), choose(name) }`. */
function chartPanel(address, load, series) {
    const place = h("div", { class: "stack" });
    let shown = metricNamed(address.query.get("metric") ?? "");
    const draw = () => place.replaceChildren(shown
        ? panel({
            title: `${shown.title} over time`, id: "activity", size: "chart",
            about: h("span", { class: "muted" }, `${shown.about}, by the time of sending · `,
                h("button", { type: "button", class: "plain inline", on: { click: () => choose(null) } }, "All events")),
            load: series, render: (result) => metricChart(shown, result),
        })
        : panel({
            title: "Activity", id: "activity", size: "chart",
            about: h("span", { class: "muted" }, "events by the time they occurred"),
            load: () => load("timeseries", { by: address.period.step }),
            render: (result) => activity(result, address),
        }));
    const listeners = [];
    function choose(name) {
        shown = name === null || name === shown?.name ? null : metricNamed(name);
        history.replaceState(null, "", withFilters({ metric: shown?.name ?? "" }));
        draw();
        for (const listener of listeners) listener();
        announce(shown ? `${shown.title} over time` : "Activity");
    }
    draw();
    return { place, choose, metric: () => shown?.name ?? null, onChange: (listener) => listeners.push(listener) };
}

function headline(address, headlines, series, chart, signal) {
    return panel({
        title: "Key metrics", id: "numbers", size: "bare",
        load: headlines,
        render: (result) => {
            const rows = new Map(result.rows.map((row) => [row.metric, row]));
            if (!rows.get("sent")?.value && !rows.get("delivered")?.value) return nothing(address, signal);
            return [
                tiles(numbers.map(([metric, label, share]) => chosenTile(metric, series, chart, numberTile(
                    label, rows.get(metric), share ? rows.get(share) : null, explanations[metric],
                )))),
                h("p", { class: "as-of" }, `As of ${time(result.as_of)}. `, stillOpen(rows), comparison(address, rows)),
            ];
        },
    });
}

/** Makes a tile choose the metric of the chart, and adds a small line of it. */
function chosenTile(name, series, chart, element) {
    const metric = metricNamed(name);
    const label = element.querySelector("dt").firstChild;
    const button = h("button", { type: "button", class: "metric", on: { click: () => chart.choose(name) } });
    label.replaceWith(button);
    button.append(label);
    button.title = "Show in the chart";
    const mark = () => button.setAttribute("aria-pressed", String(chart.metric() === name));
    chart.onChange(mark);
    mark();
    const place = h("span", { class: "spark-place" });
    element.querySelector("dd").append(place);
    series().then((result) => place.append(sparkline(metric, result))).catch(() => {});
    return element;
}

/** Says how many deliveries of the period can still be answered. */
function stillOpen(rows) {
    const { open_share: share, base_n: n } = rows.get("response_rate") ?? {};
    if (isMissing(share) || !(n > 0)) return null;
    const open = Math.round(share * n);
    if (open === 0) return "All response windows have ended. ";
    const text = `${count(open)} of ${count(n)} deliveries (${percent(share)}) can still be answered`;
    return share > openLimit
        ? [h("span", { class: "badge open" }, text), " Their rates will rise, so no change is called better or worse. "]
        : `${text}. `;
}

function numberTile(label, row, share, texts) {
    if (!row) return tile({ label, value: none, description: texts });
    if (isMissing(row.n)) {
        const part = share && !isMissing(share.value) ? `${percent(share.value)} of sent` : null;
        return tile({ label, value: count(row.value), lines: [part, countChange(row)], description: texts });
    }
    if (isMissing(row.value)) {
        return tile({
            label, value: none,
            lines: [missingText(whyMissing(row, row.n), row.n)],
            description: texts,
        });
    }
    return tile({
        label, value: percent(row.value), description: texts,
        lines: [
            `${range(row.low, row.high)} of ${count(row.n)}`,
            rateChange(row, label === "Dismissed" ? "worse" : "better"),
        ],
    });
}

function countChange(row) {
    if (isMissing(row.previous)) return null;
    // Compared at equal age, the counts are those of a part of the period.
    const part = row.compared === row.value ? "" : `at equal age, ${isEstimated(row) ? "about " : ""}`;
    // Only a count that is estimated has an interval.
    if (!isMissing(row.change_low) && row.change_low <= 0 && row.change_high >= 0) {
        return h("span", { class: "change" }, `${part}${count(row.previous)} before: no clear change`);
    }
    const from = row.previous > 0 ? `${part}${relative(row.change / row.previous)} from ${count(row.previous)}` : null;
    return h("span", { class: "change" }, from ?? (row.value === 0 ? "unchanged" : "none in the previous period"));
}

/** Whether the comparison reads only some of the deliveries. */
function isEstimated(row) {
    return !isMissing(row?.compared_share) && row.compared_share < 1;
}

/**
 * A change counts only if its interval excludes zero. `more` says whether more is better or worse.
 *
 * While many deliveries can still be answered, a change is stated but not called better or worse: the rate is lower than
 * it will be, and at equal age only the oldest deliveries are compared. A period that ends more than a thousand years
 * from its start is not compared at equal age; there, a decrease counts only if hardly any delivery is open.
 */
function rateChange(row, more) {
    if (isMissing(row.change)) return null;
    const isClear = row.change_low > 0 || row.change_high < 0;
    const title = `${points(row.change_low)} to ${points(row.change_high)}`;
    const from = isMissing(row.previous) ? "" : ` from ${percent(row.previous)}`;
    // The change is that of rates at equal age, and not that of the tile's rate.
    const isSame = isMissing(row.compared) || percent(row.compared) === percent(row.value);
    const at = isSame ? "" : `${percent(row.compared)} at equal age: `;
    const limit = row.change < 0 && isMissing(row.within_seconds) ? 0.01 : openLimit;
    if (row.open_share > limit) {
        return h("span", { class: "change", title },
            `${at}${points(row.change)} points${from}; ${percent(row.open_share)} can still be answered`);
    }
    if (!isClear) return h("span", { class: "change", title }, `${at}no clear change (${points(row.change)}${from})`);
    const isBetter = row.change > 0 === (more === "better");
    return h("span", { class: `change ${isBetter ? "better" : "worse"}`, title },
        h("span", { "aria-hidden": "true" }, row.change > 0 ? "▲ " : "▼ "), `${at}${points(row.change)} points${from}`);
}

function comparison({ parameters: { from, to } }, rows) {
    if (!from || !to) return "Choose a period with a start and an end to see changes.";
    const row = rows.get("response_rate");
    const age = isMissing(row?.within_seconds) ? "" : `, both as they were ${duration(row.within_seconds)} after each delivery`;
    // With so many deliveries it would take too long to read them all.
    const share = isEstimated(row)
        ? ` They are estimated from one delivery in ${count(Math.round(1 / row.compared_share))}, chosen at random.` : "";
    return `Changes are relative to the previous period of the same length${age}.${share}`;
}

/** Says that nothing was found, or, before the first event, how to post one. */
async function nothing(address, signal) {
    const hasFilters = narrowing.some((name) => address.parameters[name]);
    if (hasFilters || address.period.name === "custom" || isShared) return emptyPage(address);
    const ever = await report("overview", {}, signal);
    const hasEvents = ever.rows.some(({ metric, value }) => ["sent", "delivered"].includes(metric) && value > 0);
    return hasEvents ? emptyPage(address) : welcome(signal);
}

function campaignPanel(address, byCampaign) {
    return panel({
        title: "Campaigns by conversion", id: "by-campaign",
        about: h("span", { class: "muted" }, `with ${wholePercent(0.95)} confidence intervals`),
        load: () => Promise.all([byCampaign(), campaigns().catch(() => [])]),
        render: ([result, declared]) => {
            if (result.rows.length === 0) return emptySelection();
            const names = new Map(declared.map(({ id, name }) => [id, name]));
            return groupTable({
                result, caption: "Campaigns by conversion", heading: "Campaign", key: "campaign_id",
                label: (row) => groupLink(
                    row.campaign_id, campaignHref, names.get(row.campaign_id) || row.campaign_id,
                ),
                rates: [["conversion_rate", "Converted"], ["open_rate", "Opened"], ["action_rate", "Acted"]],
            });
        },
    });
}

function categoryPanel(load) {
    return panel({
        title: "Categories", id: "by-category",
        load: () => load("conversion", { by: "category" }),
        render: (result) => result.rows.length === 0 ? emptySelection() : groupTable({
            result, caption: "Categories", heading: "Category", key: "category_id",
            label: (row) => groupLink(row.category_id, categoryHref),
            rates: [["conversion_rate", "Converted"]],
        }),
    });
}

function onlyPlatform(platform) {
    return withFilters({ platform });
}

function platformPanel(load) {
    return panel({
        title: "Platforms", id: "by-platform",
        load: () => load("conversion", { by: "platform" }),
        render: (result) => result.rows.length === 0 ? emptySelection() : groupTable({
            result, caption: "Platforms", heading: "Platform", key: "platform",
            label: (row) => groupLink(row.platform, onlyPlatform, platformName(row.platform)),
            rates: [["conversion_rate", "Converted"], ["confirmation_coverage", "Confirmed"]],
        }),
    });
}

export default { title: () => "Overview", filters, render };
