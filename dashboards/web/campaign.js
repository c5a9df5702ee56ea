// One campaign: how far it came, which variant does better, what people tapped and typed, and how fast.

import { actions, replies } from "./actions.js";
import { campaigns, report } from "./api.js";
import {
    baseText, funnel, groupLink, groupTable, meanings, notStated, nothingHere, nothingToShow, pageHead, rateTile,
    refreshButton, tile, tiles,
} from "./blocks.js";
import { loadCharts } from "./charts.js";
import { responseTime } from "./curve.js";
import { h, name } from "./dom.js";
import { count, platformName, time } from "./format.js";
import { panel } from "./panel.js";
import { categoryHref, href } from "./route.js";
import { variants } from "./variants.js";

const filters = ["period", "dates", "category", "platform", "tz", "verified"];

function render(address, signal) {
    loadCharts();
    const parameters = { ...address.parameters, campaign: address.id };
    const ask = (name, more = {}) => () => report(name, { ...parameters, ...more }, signal);
    return [
        pageHead(
            name(address.id),
            { kind: back(), about: [address.period.title, declared(address.id)], more: refreshButton() },
        ),
        panel({
            title: "The numbers that matter", id: "numbers", size: "bare", load: ask("conversion"),
            render: (result) => numbers(result, address),
        }),
        h("div", { class: "columns" },
            panel({
                title: "Funnel", id: "funnel", load: ask("funnel"),
                render: (result) => isEmpty(result) ? nothingToShow() : funnel(result),
            }),
            panel({
                title: "Time to response", id: "response-time", size: "chart",
                load: () => Promise.all([ask("response-time")(), ask("response-time", { curve: true })()]),
                render: ([quantiles, curve]) => responseTime(quantiles, curve),
            })),
        panel({
            title: "Variants", id: "variants",
            load: ask("experiment"), render: (result) => variants(result),
        }),
        panel({
            title: "Actions", id: "actions", load: ask("actions"),
            render: (result) => actions(result, ["variant"], ["category"]),
        }),
        h("div", { class: "columns" },
            panel({
                title: "Platforms", id: "platforms", load: ask("conversion", { by: "platform" }),
                render: (result) => result.rows.length === 0 ? nothingToShow() : platforms(result),
            }),
            panel({ title: "Replies", id: "replies", load: ask("replies"), render: (result) => replies(result) })),
    ];
}

function back() {
    return [h("a", { href: href("/") }, "Overview"), " / Campaign"];
}

/** What was declared of the campaign comes when it comes. */
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
        campaign.goal_actions.length ? h("span", {}, "goals ", enumerated(campaign.goal_actions)) : null,
        `open for a response for ${campaign.response_window}`,
        campaign.starts_at ? `started ${time(campaign.starts_at)}` : null,
    ].filter(Boolean);
}

function enumerated(names) {
    return names.flatMap((text, index) => [index ? ", " : "", name(text)]);
}

function isEmpty(result) {
    return result.rows.every((row) => row.deliveries === 0);
}

function numbers(result, address) {
    const [row] = result.rows;
    if (!row || (!row.sent && !row.delivered)) return nothingHere(address, "deliveries of this campaign");
    const means = meanings(result);
    return [
        tiles([
            tile({
                label: "Sent", value: count(row.sent),
                lines: [row.failed ? `${count(row.failed)} refused by the provider` : null],
                meaning: means.sent,
            }),
            rateTile("Delivered", row, "delivery_rate", means.delivery_rate),
            rateTile("Opened", row, "open_rate", means.open_rate),
            rateTile("Acted", row, "action_rate", means.action_rate),
            rateTile("Converted", row, "conversion_rate", means.conversion_rate),
            rateTile("Dismissed", row, "dismiss_rate", means.dismiss_rate),
        ]),
        h("p", { class: "as-of" }, `As of ${time(result.as_of)}. ${baseText(row)} `,
            row.pending > 0 ? `${count(row.pending)} are unanswered and still open.` : "No delivery is open any more."),
    ];
}

function platforms(result) {
    return groupTable({
        result, caption: "Platforms", heading: "Platform", key: "platform",
        label: (row) => row.platform === null ? notStated() : platformName(row.platform),
        rates: [["conversion_rate", "Converted"], ["open_rate", "Opened"]],
    });
}

export default { title: (address) => address.id, filters, render };
