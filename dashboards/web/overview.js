// The overview: the numbers that matter, activity, campaigns, and what needs attention.

import { campaigns, report } from "./api.js";
import { activity } from "./activity.js";
import { attention } from "./attention.js";
import { groupLink, groupTable, nothingHere, nothingToShow, pageHead, refreshButton, tile, tiles } from "./blocks.js";
import { loadCharts } from "./charts.js";
import { h } from "./dom.js";
import {
    count, isMissing, none, percent, platformName, points, range, relative, time, wholePercent,
} from "./format.js";
import { heatmap } from "./heatmap.js";
import { nothing, panel, shared } from "./panel.js";
import { campaignHref, categoryHref, withFilters } from "./route.js";

const filters = ["period", "dates", "campaign", "category", "platform", "tz", "verified"];

/** The tiles: a metric of `overview`, and the share that belongs to a count. */
const numbers = [
    ["sent", "Sent", null],
    ["delivered", "Delivered", "delivery_rate"],
    ["response_rate", "Responded", null],
    ["action_rate", "Acted", null],
    ["conversion_rate", "Converted", null],
    ["dismiss_rate", "Dismissed", null],
];

/** What the numbers mean, in short: the rows of `overview` are metrics, and its columns' definitions are not theirs. */
const explanations = {
    sent: ["Accepted by the push service, as your server or the provider reported."],
    delivered: ["Seen on the device in any way. The share is of what was sent."],
    response_rate: ["Opened, acted, replied or dismissed, as a share of the base."],
    action_rate: ["Answered with a button or with text, as a share of the base."],
    conversion_rate: ["Acted with a goal action, or with a converted event, as a share of the base."],
    dismiss_rate: [
        "Dismissed, as a share of the deliveries whose dismissal would have been reported: on iOS those of categories "
            + "with the option customDismissAction.",
    ],
};

function render(address, signal) {
    const { parameters } = address;
    const headlines = shared(() => report("overview", parameters, signal));
    // The numbers first: nothing else takes the database and the connections from them.
    const ask = async (name, more) => {
        await headlines().catch(() => {});
        return report(name, { ...parameters, ...more }, signal);
    };
    const byCampaign = shared(() => ask("conversion", { by: "campaign" }));
    headlines().catch(() => {}).then(loadCharts);
    return [
        pageHead("Overview", { about: address.period.title, more: refreshButton() }),
        headline(address, headlines),
        h(
            "div", { class: "columns wide-left" },
            panel({
                title: "Activity", id: "activity", size: "chart",
                about: h("span", { class: "muted" }, "events by the time they happened"),
                load: () => ask("timeseries", { by: address.period.step }),
                render: (result) => activity(result, address),
            }),
            attention(address, signal, headlines, byCampaign),
        ),
        campaignPanel(address, byCampaign),
        h("div", { class: "columns" }, categoryPanel(ask), platformPanel(ask)),
        panel({
            title: "When people respond", id: "heatmap",
            about: h("span", { class: "muted" }, `share that responded, by the hour of sending in ${address.zone}`),
            load: () => ask("heatmap"),
            render: (result) => heatmap(result) ?? nothingToShow(),
        }),
    ];
}

function headline(address, headlines) {
    return panel({
        title: "The numbers that matter", id: "numbers", size: "bare",
        load: headlines,
        render: (result) => {
            const rows = new Map(result.rows.map((row) => [row.metric, row]));
            if (!rows.get("sent")?.value && !rows.get("delivered")?.value) return welcome(address);
            return [
                tiles(numbers.map(([metric, label, share]) =>
                    numberTile(label, rows.get(metric), share ? rows.get(share) : null, explanations[metric]))),
                h("p", { class: "as-of" }, `As of ${time(result.as_of)}. `, comparison(address)),
            ];
        },
    });
}

function numberTile(label, row, share, texts) {
    if (!row) return tile({ label, value: none, meaning: texts });
    if (isMissing(row.n)) {
        const part = share && !isMissing(share.value) ? `${percent(share.value)} of sent` : null;
        return tile({ label, value: count(row.value), lines: [part, countChange(row)], meaning: texts });
    }
    if (isMissing(row.value)) {
        return tile({
            label, value: none,
            lines: [row.n > 0 ? `too few: ${count(row.n)}` : "nothing to divide by"],
            meaning: texts,
        });
    }
    return tile({
        label, value: percent(row.value), meaning: texts,
        lines: [
            `${range(row.low, row.high)} of ${count(row.n)}`,
            rateChange(row, label === "Dismissed" ? "worse" : "better"),
        ],
    });
}

function countChange(row) {
    if (isMissing(row.previous)) return null;
    const from = row.previous > 0 ? `${relative(row.change / row.previous)} from ${count(row.previous)}` : null;
    return h("span", { class: "change" }, from ?? (row.value === 0 ? "as before" : "none in the time before"));
}

/** Only a change whose interval leaves out zero is called one. `more` says what more of it is. */
function rateChange(row, more) {
    if (isMissing(row.change)) return null;
    const isClear = row.change_low > 0 || row.change_high < 0;
    const interval = `${points(row.change_low)} to ${points(row.change_high)}`;
    if (!isClear) return h("span", { class: "change", title: interval }, `no clear change (${points(row.change)})`);
    const isBetter = row.change > 0 === (more === "better");
    return h("span", { class: `change ${isBetter ? "better" : "worse"}`, title: interval },
        h("span", { "aria-hidden": "true" }, row.change > 0 ? "▲ " : "▼ "), `${points(row.change)} points`);
}

function comparison({ parameters: { from, to } }) {
    if (!from || !to) return "Choose a period with a beginning and an end to see changes.";
    return "Changes are against the same length of time before.";
}

function welcome(address) {
    const hasFilters = ["campaign", "category", "platform", "verified"].some((name) => address.parameters[name]);
    if (hasFilters || address.period.name === "custom") return nothingHere(address);
    return [address.period.name === "all" ? null : nothingHere(address), nothing(
        "New here? Post the first events, and this page shows them a moment later.",
        h(
            "pre", {},
            `curl ${location.origin}/v1/events \\\n  -H "Authorization: Bearer $KEY" --json @events.json`,
        ),
        h(
            "p", {},
            "The README’s part “By hand” has a whole example; ",
            h("a", { href: "/live" }, "Live"),
            " shows what comes in.",
        ),
    )];
}

function campaignPanel(address, byCampaign) {
    return panel({
        title: "Campaigns by conversion", id: "by-campaign",
        about: h("span", { class: "muted" }, `with ${wholePercent(0.95)} intervals`),
        load: () => Promise.all([byCampaign(), campaigns().catch(() => [])]),
        render: ([result, declared]) => {
            if (result.rows.length === 0) return nothingToShow();
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

function categoryPanel(ask) {
    return panel({
        title: "Categories", id: "by-category",
        load: () => ask("conversion", { by: "category" }),
        render: (result) => result.rows.length === 0 ? nothingToShow() : groupTable({
            result, caption: "Categories", heading: "Category", key: "category_id",
            label: (row) => groupLink(row.category_id, categoryHref),
            rates: [["conversion_rate", "Converted"]],
        }),
    });
}

function onlyPlatform(platform) {
    return withFilters({ platform });
}

function platformPanel(ask) {
    return panel({
        title: "Platforms", id: "by-platform",
        load: () => ask("conversion", { by: "platform" }),
        render: (result) => result.rows.length === 0 ? nothingToShow() : groupTable({
            result, caption: "Platforms", heading: "Platform", key: "platform",
            label: (row) => groupLink(row.platform, onlyPlatform, platformName(row.platform)),
            rates: [["conversion_rate", "Converted"], ["confirmation_coverage", "Confirmed"]],
        }),
    });
}

export default { title: () => "Overview", filters, render };
