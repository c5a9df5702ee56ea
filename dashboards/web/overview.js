// The overview: key metrics, activity, campaigns, and what needs attention.

import { campaigns, report } from "./api.js";
import { activity } from "./activity.js";
import { attention } from "./attention.js";
import { emptyPage, emptySelection, groupLink, groupTable, pageHead, refreshButton, tile, tiles } from "./blocks.js";
import { loadCharts } from "./charts.js";
import { h } from "./dom.js";
import {
    count, duration, isMissing, none, percent, platformName, points, range, relative, time, wholePercent,
} from "./format.js";
import { heatmap } from "./heatmap.js";
import { emptyState, panel, shared } from "./panel.js";
import { missingText, whyMissing } from "./rates.js";
import { campaignHref, categoryHref, withFilters } from "./route.js";

const filters = ["period", "dates", "campaign", "category", "platform", "tz", "verified"];

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
    headlines().catch(() => {}).then(loadCharts);
    return [
        pageHead("Overview", { about: address.period.title, more: refreshButton() }),
        headline(address, headlines),
        h(
            "div", { class: "columns wide-left" },
            panel({
                title: "Activity", id: "activity", size: "chart",
                about: h("span", { class: "muted" }, "events by the time they occurred"),
                load: () => load("timeseries", { by: address.period.step }),
                render: (result) => activity(result, address),
            }),
            attention(address, signal, headlines, byCampaign),
        ),
        campaignPanel(address, byCampaign),
        h("div", { class: "columns" }, categoryPanel(load), platformPanel(load)),
        panel({
            title: "When people respond", id: "heatmap",
            about: h("span", { class: "muted" }, `response rate by the hour of sending, in ${address.zone}`),
            load: () => load("heatmap"),
            render: (result) => heatmap(result) ?? emptySelection(),
        }),
    ];
}

function headline(address, headlines) {
    return panel({
        title: "Key metrics", id: "numbers", size: "bare",
        load: headlines,
        render: (result) => {
            const rows = new Map(result.rows.map((row) => [row.metric, row]));
            if (!rows.get("sent")?.value && !rows.get("delivered")?.value) return welcome(address);
            return [
                tiles(numbers.map(([metric, label, share]) =>
                    numberTile(label, rows.get(metric), share ? rows.get(share) : null, explanations[metric]))),
                h("p", { class: "as-of" }, `As of ${time(result.as_of)}. `, comparison(address, rows)),
            ];
        },
    });
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
 * A period that ends more than a thousand years from its start is not compared at equal age. While its deliveries can still
 * be answered, the rate is lower than it will be. So an increase counts, and a decrease only if hardly any is open.
 */
function rateChange(row, more) {
    if (isMissing(row.change)) return null;
    const isClear = row.change_low > 0 || row.change_high < 0;
    const interval = `${points(row.change_low)} to ${points(row.change_high)}`;
    if (!isClear) return h("span", { class: "change", title: interval }, `no clear change (${points(row.change)})`);
    if (row.change < 0 && isMissing(row.within_seconds) && row.open_share > 0.01) {
        return h("span", { class: "change", title: interval },
            `${percent(row.open_share)} can still be answered (${points(row.change)})`);
    }
    const isBetter = row.change > 0 === (more === "better");
    return h("span", { class: `change ${isBetter ? "better" : "worse"}`, title: interval },
        h("span", { "aria-hidden": "true" }, row.change > 0 ? "▲ " : "▼ "), `${points(row.change)} points`);
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

function welcome(address) {
    const hasFilters = ["campaign", "category", "platform", "verified"].some((name) => address.parameters[name]);
    if (hasFilters || address.period.name === "custom") return emptyPage(address);
    return [address.period.name === "all" ? null : emptyPage(address), emptyState(
        "No events yet. Post your first events, and they appear here a moment later.",
        h(
            "pre", {},
            `curl ${location.origin}/v1/events \\\n  -H "Authorization: Bearer $KEY" --json @events.json`,
        ),
        h(
            "p", {},
            "The page “Getting started” of the documentation has a complete example. ",
            h("a", { href: "/live" }, "Live"),
            " shows events as they arrive.",
        ),
    )];
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
