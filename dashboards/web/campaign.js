// The page of a campaign: its funnel, response times, variants, value, actions and replies.

import { actions, replies } from "./actions.js";
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
import { panel } from "./panel.js";
import { categoryHref, href } from "./route.js";
import { currencies, value } from "./value.js";
import { variants } from "./variants.js";

/** Verdicts that hold at every look are about all of a campaign's deliveries, so their panels have no period. */
const sinceItBegan = { from: "", to: "" };
const sinceItBeganNote = "since the campaign began, whatever the period";

const filters = ["period", "dates", "category", "platform", "tz", "verified"];

function render(address, signal) {
    loadCharts();
    const parameters = { ...address.parameters, campaign: address.id };
    const load = (name, more = {}) => () => report(name, { ...parameters, ...more }, signal);
    return [
        pageHead(
            name(address.id),
            { kind: breadcrumb(), about: [address.period.title, declared(address.id)], more: refreshButton() },
        ),
        panel({
            title: "Key metrics", id: "numbers", size: "bare", load: load("conversion"),
            render: (result) => numbers(result, address),
        }),
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
                return [totals, await Promise.all(currencies(totals).map((one) => load("experiment", { currency: one })()))];
            },
            render: ([totals, experiments]) => value(totals, experiments),
        }),
        panel({
            title: "What it added", id: "lift", about: h("span", { class: "muted" }, sinceItBeganNote),
            // A holdout is that of the whole campaign.
            load: load("lift", { ...sinceItBegan, category: "", platform: "" }), render: (result) => lift(result),
        }),
        panel({
            title: "Actions", id: "actions", load: load("actions"),
            render: (result) => actions(result, ["variant"], ["category"]),
        }),
        h("div", { class: "columns" },
            panel({
                title: "Platforms", id: "platforms", load: load("conversion", { by: "platform" }),
                render: (result) => result.rows.length === 0 ? emptySelection() : platforms(result),
            }),
            panel({ title: "Replies", id: "replies", load: load("replies"), render: (result) => replies(result) })),
    ];
}

function breadcrumb() {
    return [h("a", { href: href("/") }, "Overview"), " / Campaign"];
}

/** A line about the campaign's declaration, filled in once it has loaded. */
function declared(id) {
    const line = h("span", { class: "declared" });
    campaigns().then((list) => {
        const campaign = list.find((one) => one.id === id);
        if (!campaign) return line.append(" · not declared");
        if (campaign.name) line.closest(".page-head").querySelector("h1").replaceChildren(name(campaign.name));
        line.append(...facts(campaign).flatMap((fact) => [" · ", fact]));
    }).catch(() => {});
    return line;
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
        h("p", { class: "as-of" }, `As of ${time(result.as_of)}. ${baseText(row)} `,
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
