// One category: its actions across versions, dismissals and their coverage, and the campaigns that used it.

import { actions } from "./actions.js";
import { campaigns, categories, report } from "./api.js";
import {
    baseText, groupLink, groupTable, meanings, nothingHere, nothingToShow, pageHead, rateTile, refreshButton, tile,
    tiles,
} from "./blocks.js";
import { h, name } from "./dom.js";
import { count, isMissing, percent, time } from "./format.js";
import { nothing, panel, shared } from "./panel.js";
import { campaignHref, href } from "./route.js";

const filters = ["period", "dates", "campaign", "platform", "tz", "verified"];

function render(address, signal) {
    const parameters = { ...address.parameters, category: address.id };
    const whole = shared(() => report("conversion", parameters, signal));
    return [
        pageHead(name(address.id), { kind: back(), about: address.period.title, more: refreshButton() }),
        panel({
            title: "The numbers that matter", id: "numbers", size: "bare", load: whole,
            render: (result) => numbers(result, address),
        }),
        h("div", { class: "columns" },
            panel({ title: "Dismissals", id: "dismissals", load: whole, render: (result) => dismissals(result) }),
            panel({
                title: "As declared now", id: "declared", load: categories,
                render: (list) => declared(list, address.id),
            })),
        panel({
            title: "Actions across versions", id: "actions",
            about: h("span", { class: "muted" }, "each over the deliveries whose version offered it"),
            load: () => report("actions", { ...parameters, versions: true }, signal),
            render: (result) => actions(result, ["version"], ["campaign", "variant"]),
        }),
        panel({
            title: "Campaigns that used it", id: "campaigns",
            load: () => Promise.all([
                report("conversion", { ...parameters, by: "campaign" }, signal),
                campaigns().catch(() => []),
            ]),
            render: ([result, list]) => result.rows.length === 0 ? nothingToShow() : byCampaign(result, list),
        }),
    ];
}

function back() {
    return [h("a", { href: href("/") }, "Overview"), " / Category"];
}

function numbers(result, address) {
    const [row] = result.rows;
    if (!row || (!row.sent && !row.delivered)) return nothingHere(address, "deliveries of this category");
    const means = meanings(result);
    return [
        tiles([
            tile({ label: "Sent", value: count(row.sent), meaning: means.sent }),
            rateTile("Opened", row, "open_rate", means.open_rate),
            rateTile("Acted", row, "action_rate", means.action_rate),
            rateTile("Converted", row, "conversion_rate", means.conversion_rate),
            rateTile("Replied", row, "reply_rate", means.reply_rate),
            rateTile("No response", row, "no_response_rate", means.no_response_rate),
        ]),
        h("p", { class: "as-of" }, `As of ${time(result.as_of)}. ${baseText(row)}`),
    ];
}

/** The rate is worth as much as its coverage. */
function dismissals(result) {
    const [row] = result.rows;
    if (!row || !row.base_n) return nothing("No base for a rate: neither sends nor confirmations were reported.");
    const means = meanings(result);
    return [
        tiles([
            rateTile("Dismiss rate", row, "dismiss_rate", means.dismiss_rate),
            rateTile("Coverage", row, "dismiss_coverage", means.dismiss_coverage),
        ]),
        h("p", { class: "sentence" }, dismissSentence(row)),
    ];
}

function dismissSentence(row) {
    const reported = `${count(row.dismissed)} were dismissed. `;
    if (isMissing(row.dismiss_coverage)) return `${reported}There are too few deliveries to say more.`;
    if (row.dismiss_coverage === 0) {
        return "No dismissal would have been reported: on iOS a category needs the option customDismissAction, and the "
            + "platform of a delivery must be known.";
    }
    if (row.dismiss_coverage === 1) return `${reported}Every dismissal would have been reported.`;
    return `${reported}Of ${percent(row.dismiss_coverage)} of the deliveries a dismissal would have been reported; the `
        + "rate is over these alone, and says nothing of the others.";
}

function declared(list, id) {
    const category = list.find((one) => one.identifier === id);
    if (!category) {
        return nothing("Nobody declared this category, or it was retired. Once it is put, its history counts as well.");
    }
    const facts = [
        ["Version", count(category.version)],
        ["Options", category.options.length ? category.options.join(", ") : "none"],
        ["Texts are kept", category.text_retention ?? "as long as the app’s default"],
    ];
    return [
        h("dl", { class: "facts" }, facts.map(([term, text]) => [h("dt", {}, term), h("dd", {}, text)])),
        h("ul", { class: "buttons" }, category.actions.map((action) => h(
            "li", {},
            h("span", { class: "button-title" }, name(action.title)), " ", h("code", {}, name(action.identifier)),
            action.goal ? h("span", { class: "badge" }, "goal") : null,
            action.text_input ? h("span", { class: "badge" }, "text") : null,
            action.options.map((option) => h("span", { class: "badge quiet" }, option)),
        ))),
    ];
}

function byCampaign(result, list) {
    const names = new Map(list.map((campaign) => [campaign.id, campaign.name]));
    return groupTable({
        result, caption: "Campaigns that used it", heading: "Campaign", key: "campaign_id",
        label: (row) => groupLink(row.campaign_id, campaignHref, names.get(row.campaign_id) || row.campaign_id),
        rates: [["conversion_rate", "Converted"], ["open_rate", "Opened"], ["dismiss_rate", "Dismissed"]],
    });
}

export default { title: (address) => address.id, filters, render };
