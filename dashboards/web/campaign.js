// The page of a campaign: its funnel, response times, variants, value, actions and replies.

import { actionVariants, variantsOf } from "./action-variants.js";
import { actions, replies } from "./actions.js";
import { activity } from "./activity.js";
import { campaigns, report } from "./api.js";
import {
    baseText, columnDescriptions, emptyPage, emptySelection, funnel, groupLink, groupTable, notSet, pageHead, rateTile,
    refreshButton, tile, tiles,
} from "./blocks.js";
import { loadCharts } from "./charts.js";
import { responseTime } from "./curve.js";
import { h, name } from "./dom.js";
import { count, percent, platformName, time } from "./format.js";
import { lift } from "./lift.js";
import { openMark } from "./open.js";
import { panel, shared } from "./panel.js";
import { categoryHref, href, withFilters } from "./route.js";
import { isShared } from "./shared.js";
import { loadSeries, metricChart, metricNamed } from "./series.js";
import { currencies, value } from "./value.js";
import { variants } from "./variants.js";

/** Verdicts that hold at every look are about all of a campaign's deliveries, so their panels have no period. */
const sinceItBegan = { from: "", to: "", variant: "" };
const sinceItBeganNote = "since the campaign began, whatever the period";

const filters = ["period", "dates", "category", "variant", "platform", "tz", "verified"];

function render(address, signal) {
    loadCharts();
    const parameters = { ...address.parameters, campaign: address.id };
    const load = (name, more = {}) => () => report(name, { ...parameters, ...more }, signal);
    const facts = h("span", { class: "declared" });
    const head = pageHead(
        name(address.id), { kind: breadcrumb(), about: [address.period.title, facts], more: refreshButton() },
    );
    declared(address.id, head, facts);
    return [
        head,
        panel({
            title: "Key metrics", id: "numbers", size: "bare", load: load("conversion"),
            render: (result) => numbers(result, address),
        }),
        overTime(address, parameters, load, signal),
        h("div", { class: "columns" },
            panel({
                title: "Funnel", id: "funnel", load: load("funnel"),
                render: (result) => isEmpty(result) ? emptySelection() : funnel(result),
            }),
            panel({
                title: "Time to response", id: "response-time", size: "chart",
                load: () => Promise.all([load("response-time")(), load("response-time", { curve: true })()]),
                render: ([quantiles, curve]) => responseTime(quantiles, curve),
            })),
        panel({
            title: "Variants", id: "variants", about: h("span", { class: "muted" }, sinceItBeganNote),
            load: load("experiment", sinceItBegan), render: (result) => variants(result),
        }),
        panel({
            title: "Value", id: "value",
            load: async () => {
                const totals = await load("value")();
                const compare = (currency) => load("experiment", { currency, variant: "" })();
                return [totals, await Promise.all(currencies(totals).map(compare))];
            },
            render: ([totals, experiments]) => value(totals, experiments),
        }),
        panel({
            title: "What it added", id: "lift", about: h("span", { class: "muted" }, sinceItBeganNote),
            // A holdout is that of the whole campaign.
            load: load("lift", { ...sinceItBegan, category: "", platform: "" }), render: (result) => lift(result),
        }),
        panel({
            title: "Actions", id: "actions",
            load: () => Promise.all([load("actions")(), campaigns().catch(() => [])]),
            render: ([result, list]) => {
                const names = variantsOf(result, list.find((one) => one.id === address.id));
                return names.length > 1
                    ? actionVariants(result, names) : actions(result, ["variant"], ["category"]);
            },
        }),
        h("div", { class: "columns" },
            panel({
                title: "Platforms", id: "platforms", load: load("conversion", { by: "platform" }),
                render: (result) => result.rows.length === 0 ? emptySelection() : platforms(result),
            }),
            // A link never shares what people wrote.
            isShared ? null : panel({
                title: "Replies", id: "replies", load: load("replies"), render: (result) => replies(result),
            })),
    ];
}

const overTimeMetrics = ["sent", "delivered", "response_rate", "open_rate", "action_rate", "conversion_rate", "dismiss_rate"];

/** What happened per day, and a rate per day that the reader chooses. */
function overTime(address, parameters, load, signal) {
    const series = shared(() => loadSeries(address, parameters, overTimeMetrics, signal));
    const place = h("div", { class: "stack" });
    let shown = metricNamed(address.query.get("metric") ?? "") ?? metricNamed("conversion_rate");
    if (!overTimeMetrics.includes(shown.name)) shown = metricNamed("conversion_rate");
    const choice = h("select", { "aria-label": "Metric of the chart", on: { change: () => choose(choice.value) } },
        overTimeMetrics.map((one) => h("option", { value: one }, metricNamed(one).title)));
    choice.value = shown.name;
    const draw = () => place.replaceChildren(panel({
        title: `${shown.title} over time`, id: "over-time", size: "chart",
        about: choice, load: series, render: (result) => metricChart(shown, result),
    }));
    function choose(one) {
        shown = metricNamed(one);
        history.replaceState(null, "", withFilters({ metric: one === "conversion_rate" ? "" : one }));
        draw();
        choice.focus();
    }
    draw();
    return h("div", { class: "columns" },
        place,
        panel({
            title: "Activity", id: "activity", size: "chart",
            about: h("span", { class: "muted" }, "events by the time they occurred"),
            load: load("timeseries", { by: address.period.step }), render: (result) => activity(result, address),
        }));
}

function breadcrumb() {
    return [h("a", { href: href("/") }, "Overview"), " / Campaign"];
}

/** Adds to the head what the campaign's declaration says, once it has loaded. */
async function declared(id, head, line) {
    head.setAttribute("aria-busy", "true");
    try {
        const campaign = (await campaigns()).find((one) => one.id === id);
        if (campaign?.name) head.querySelector("h1").replaceChildren(name(campaign.name));
        line.append(...(campaign ? facts(campaign).flatMap((fact) => [" · ", fact]) : [" · not declared"]));
    } catch {
        // The panels of the page show the error.
    }
    head.removeAttribute("aria-busy");
    head.dispatchEvent(new Event("loaded", { bubbles: true }));
}

function facts(campaign) {
    return [
        campaign.name && campaign.name !== campaign.id ? h("code", {}, name(campaign.id)) : null,
        campaign.category_id ? h("span", {}, "category ", groupLink(campaign.category_id, categoryHref)) : null,
        campaign.goal_actions.length ? h("span", {}, "goals ", nameList(campaign.goal_actions)) : null,
        `response window ${campaign.response_window}`,
        campaign.conversion_window !== campaign.response_window
            ? `conversion window ${campaign.conversion_window}` : null,
        campaign.holdout ? `${percent(campaign.holdout)} held out` : null,
        campaign.starts_at ? `started ${time(campaign.starts_at)}` : null,
    ].filter(Boolean);
}

function nameList(names) {
    return names.flatMap((text, index) => [index ? ", " : "", name(text)]);
}

function isEmpty(result) {
    return result.rows.every((row) => row.deliveries === 0);
}

function numbers(result, address) {
    const [row] = result.rows;
    if (!row || (!row.sent && !row.delivered)) return emptyPage(address, "deliveries of this campaign");
    const descriptions = columnDescriptions(result);
    return [
        tiles([
            tile({
                label: "Sent", value: count(row.sent),
                lines: [row.failed ? `${count(row.failed)} rejected by the push provider` : null],
                description: descriptions.sent,
            }),
            rateTile("Delivered", row, "delivery_rate", descriptions.delivery_rate),
            rateTile("Opened", row, "open_rate", descriptions.open_rate),
            rateTile("Acted", row, "action_rate", descriptions.action_rate),
            rateTile("Converted", row, "conversion_rate", descriptions.conversion_rate),
            rateTile("Dismissed", row, "dismiss_rate", descriptions.dismiss_rate),
        ]),
        h("p", { class: "as-of" }, `As of ${time(result.as_of)}. ${baseText(row)} `, openMark(row), " ",
            row.pending > 0
                ? `${count(row.pending)} are pending: no response yet, and the response window is still open.`
                : "None are pending."),
    ];
}

function platforms(result) {
    return groupTable({
        result, caption: "Platforms", heading: "Platform", key: "platform",
        label: (row) => row.platform === null ? notSet() : platformName(row.platform),
        rates: [["conversion_rate", "Converted"], ["open_rate", "Opened"]],
    });
}

export default { title: (address) => address.id, filters, render };
