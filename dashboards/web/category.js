// The page of a category: its actions across versions, dismissals and their coverage, and its campaigns.

import { actions } from "./actions.js";
import { campaigns, categories, report } from "./api.js";
import {
    baseText, columnDescriptions, emptyPage, emptySelection, groupLink, groupTable, pageHead, rateTile, refreshButton,
    tile, tiles,
} from "./blocks.js";
import { h, name } from "./dom.js";
import { count, isMissing, percent, time } from "./format.js";
import { emptyState, panel, shared } from "./panel.js";
import { campaignHref, href } from "./route.js";

const filters = ["period", "dates", "campaign", "platform", "tz", "verified"];

function render(address, signal) {
    const parameters = { ...address.parameters, category: address.id };
    const whole = shared(() => report("conversion", parameters, signal));
    return [
        pageHead(name(address.id), { kind: breadcrumb(), about: address.period.title, more: refreshButton() }),
        panel({
            title: "Key metrics", id: "numbers", size: "bare", load: whole,
            render: (result) => numbers(result, address),
        }),
        h("div", { class: "columns" },
            panel({ title: "Dismissals", id: "dismissals", load: whole, render: (result) => dismissals(result) }),
            panel({
                title: "Current declaration", id: "declared", load: categories,
                render: (list) => declared(list, address.id),
            })),
        panel({
            title: "Actions across versions", id: "actions",
            about: h("span", { class: "muted" }, "rates over the deliveries whose version offered the action"),
            load: () => Promise.all([
                report("actions", { ...parameters, versions: true }, signal),
                campaigns().catch(() => []),
            ]),
            render: ([result, list]) => actions(result, ["version"], ["campaign", "variant"], namesOf(list)),
        }),
        panel({
            title: "Campaigns with this category", id: "campaigns",
            load: () => Promise.all([
                report("conversion", { ...parameters, by: "campaign" }, signal),
                campaigns().catch(() => []),
            ]),
            render: ([result, list]) => result.rows.length === 0 ? emptySelection() : byCampaign(result, list),
        }),
    ];
}

function breadcrumb() {
    return [h("a", { href: href("/") }, "Overview"), " / Category"];
}

function numbers(result, address) {
    const [row] = result.rows;
    if (!row || (!row.sent && !row.delivered)) return emptyPage(address, "deliveries of this category");
    const descriptions = columnDescriptions(result);
    return [
        tiles([
            tile({ label: "Sent", value: count(row.sent), description: descriptions.sent }),
            rateTile("Opened", row, "open_rate", descriptions.open_rate),
            rateTile("Acted", row, "action_rate", descriptions.action_rate),
            rateTile("Converted", row, "conversion_rate", descriptions.conversion_rate),
            rateTile("Replied", row, "reply_rate", descriptions.reply_rate),
            rateTile("No response", row, "no_response_rate", descriptions.no_response_rate),
        ]),
        h("p", { class: "as-of" }, `As of ${time(result.as_of)}. ${baseText(row)}`),
    ];
}

/** Shows the dismiss rate beside its coverage: the rate covers only deliveries that can report a dismissal. */
function dismissals(result) {
    const [row] = result.rows;
    if (!row || !row.base_n) return emptyState("No rate: neither sends nor confirmations were reported.");
    const descriptions = columnDescriptions(result);
    return [
        tiles([
            rateTile("Dismiss rate", row, "dismiss_rate", descriptions.dismiss_rate),
            rateTile("Coverage", row, "dismiss_coverage", descriptions.dismiss_coverage),
        ]),
        h("p", { class: "sentence" }, dismissSentence(row)),
    ];
}

function dismissSentence(row) {
    const reported = `${count(row.dismissed)} were dismissed. `;
    if (isMissing(row.dismiss_coverage)) return `${reported}There are too few deliveries for a rate.`;
    if (row.dismiss_coverage === 0) {
        return "None of these deliveries can report a dismissal. On iOS, the category needs the option "
            + "customDismissAction, and the delivery’s platform must be known.";
    }
    if (row.dismiss_coverage === 1) return `${reported}All of these deliveries can report a dismissal.`;
    return `${reported}Only ${percent(row.dismiss_coverage)} of the deliveries can report a dismissal, and the rate `
        + "covers only these.";
}

function declared(list, id) {
    const category = list.find((one) => one.identifier === id);
    if (!category) {
        return emptyState("This category is not declared, or was retired. Declare it, and its past events count too.");
    }
    const facts = [
        ["Version", count(category.version)],
        ["Options", category.options.length ? category.options.join(", ") : "none"],
        ["Reply texts are kept for", category.text_retention ?? "the app’s default"],
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

/** The names of campaigns by their ids. */
function namesOf(list) {
    return new Map(list.map((campaign) => [campaign.id, campaign.name]));
}

function byCampaign(result, list) {
    const names = namesOf(list);
    return groupTable({
        result, caption: "Campaigns with this category", heading: "Campaign", key: "campaign_id",
        label: (row) => groupLink(row.campaign_id, campaignHref, names.get(row.campaign_id) || row.campaign_id),
        rates: [["conversion_rate", "Converted"], ["open_rate", "Opened"], ["dismiss_rate", "Dismissed"]],
    });
}

export default { title: (address) => address.id, filters, render };
