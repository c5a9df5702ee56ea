// Parts that several pages share: page heads, tiles, tables of groups, the funnel and empty states.

import { h, hidden, name } from "./dom.js";
import { count, isMissing, percent, range } from "./format.js";
import { openMark } from "./open.js";
import { emptyState } from "./panel.js";
import { denominator, missingText, rateColumns, rateText, whyMissing } from "./rates.js";
import { href, narrowing, refresh, withFilters } from "./route.js";
import { table } from "./table.js";
import { columnDescription, help } from "./tips.js";

/** The head of a page: its title, what it is about, and buttons. */
export function pageHead(title, { about = null, kind = null, more = null } = {}) {
    return h(
        "div", { class: "page-head" },
        kind ? h("p", { class: "kind" }, kind) : null,
        h("h1", {}, title),
        about ? h("p", { class: "about" }, about) : null,
        more,
    );
}

/** A button that reloads all of the page's data. */
export function refreshButton() {
    return h("button", { type: "button", class: "refresh", on: { click: refresh } }, "Refresh");
}

/** A number with its name. `lines` are shown below it, `description` in its tooltip. */
export function tile({ label, value, lines = [], description: texts = [] }) {
    return h(
        "div", { class: "tile" },
        h("dt", {}, label, texts.length ? help(label, texts) : null),
        h(
            "dd", {},
            h("span", { class: "big" }, value),
            lines.filter(Boolean).map((line) => h("span", { class: "line" }, line)),
        ),
    );
}

export function tiles(list) {
    return h("dl", { class: "tiles" }, list);
}

/** A tile for a rate of a row of `conversion`. */
export function rateTile(label, row, rate, texts = []) {
    const value = row[rate];
    if (isMissing(value)) {
        const n = denominator(row, rate);
        const why = whyMissing(row, n);
        return tile({
            label, value: rateText(row, rate), lines: [why === "few" ? null : missingText(why, n)], description: texts,
        });
    }
    return tile({
        label, value: percent(value), description: texts,
        lines: [`${range(row[`${rate}_low`], row[`${rate}_high`])}`, `of ${count(denominator(row, rate))}`],
    });
}

/** The descriptions of a result's columns, by column name. */
export function columnDescriptions(result) {
    const definitions = new Map(result.definitions.map((definition) => [definition.name, definition]));
    return Object.fromEntries(
        result.columns.map((column) => [column.name, columnDescription(column, definitions.get(column.name))]),
    );
}

/** Says in a sentence which base the rates of a row have. */
export function baseText(row) {
    if (row.base === "sent") return "Rates are shares of sent deliveries.";
    if (row.base === "confirmed") {
        return "Too few sends were reported, so rates are shares of the deliveries that devices confirmed.";
    }
    if (row.base === "mixed") {
        return "Rates are shares of sent deliveries; for campaigns whose sends were not reported, of the deliveries that "
            + "devices confirmed.";
    }
    return "There are no rates, because neither sends nor confirmations were reported.";
}

/** A table of the groups of `conversion` with their rates. `label(row)` makes the group's cell, `key` is its column. */
export function groupTable({ result, caption, heading, key, label, rates }) {
    const descriptions = columnDescriptions(result);
    const rows = result.rows.filter((row) => row.sent > 0 || row.delivered > 0 || row.failed > 0);
    const columns = [
        {
            label: heading, value: (row) => row[key], class: "group",
            cell: (row) => [label(row), openMark(row)].filter(Boolean),
        },
        {
            label: "Sent",
            value: (row) => row.sent,
            cell: (row) => count(row.sent),
            numeric: true, description: descriptions.sent,
        },
        ...rateColumns(rows, rates, descriptions),
    ];
    const main = rates[0][0];
    rows.sort((left, right) => (right[main] ?? -1) - (left[main] ?? -1));
    return table({ caption, columns, rows, sort: { index: 2, descending: true } });
}

/** A link to a group, or the label of the unknown group. */
export function groupLink(id, address, title = id) {
    return isMissing(id) ? notSet() : h("a", { href: address(id), title: id }, name(title));
}

/** The label of the unknown group. */
export function notSet() {
    return h("span", { class: "muted" }, "not set");
}

const steps = {
    sent: ["Sent", "accepted by the push provider"],
    delivered: ["Delivered", "confirmed by any event from the device"],
    displayed: ["Displayed", "only where the app, a content extension or the browser reports it"],
    responded: ["Responded", "opened, acted, replied or dismissed"],
    acted: ["Acted", "used an action or replied with text"],
    converted: ["Converted", "used a goal action, or a converted event came in"],
};

/**
 * The steps of `funnel`, each with a bar. Few platforms report what is displayed, so that it is no step on the way: it
 * branches off from delivered, and the step after it is compared with delivered, too.
 */
export function funnel(result) {
    const most = Math.max(1, ...result.rows.map((row) => row.deliveries));
    const delivered = result.rows.find((row) => row.step === "delivered")?.deliveries;
    return h("ol", { class: "funnel" }, result.rows.map((row) => {
        const [title, text] = steps[row.step] ?? [row.step, ""];
        const isBranch = row.step === "displayed";
        const previous = row.step === "responded" ? share(row.deliveries, delivered) : row.share_of_previous;
        const shares = [
            isMissing(row.share_of_first) || isBranch ? null : `${percent(row.share_of_first)} of sent`,
            isMissing(previous) || !beforeStep[row.step] ? null : `${percent(previous)} of ${beforeStep[row.step]}`,
        ].filter(Boolean);
        return h(
            "li", { class: isBranch ? "branch" : null },
            h("div", { class: "step" }, h("span", { class: "step-name" }, title), hidden(": "),
                h("span", { class: "step-count" }, count(row.deliveries))),
            h("div", { class: "funnel-track", "aria-hidden": "true" },
                h("span", { class: "bar", style: { width: `${(100 * row.deliveries) / most}%` } })),
            h("div", { class: "step-shares" }, (row.step === "sent" ? [text] : [...shares, text]).join(" · ")),
        );
    }));
}

const beforeStep = {
    displayed: "delivered", responded: "delivered", acted: "responded", converted: "acted",
};

/** A share, or null if there is nothing that it is a share of. */
function share(part, whole) {
    return whole > 0 && part <= whole ? part / whole : null;
}

/** An empty state for a page, with links that widen the selection. */
export function emptyPage(address, what = "deliveries") {
    const links = [];
    if (address.period.name !== "all") {
        links.push(h("a", { href: withFilters({ period: "all", from: "", to: "" }) }, "Show all time"));
    }
    if (narrowing.some((name) => address.query.get(name))) {
        const none = Object.fromEntries(narrowing.map((name) => [name, ""]));
        links.push(h("a", { href: withFilters(none) }, "Clear filters"));
    }
    links.push(h("a", { href: href("/inspect") }, "Look for one notification"));
    const text = `No ${what} in this selection: ${address.period.title}.`;
    return h("div", { class: "nothing" }, emptyState(text, h("p", { class: "links" }, links)));
}

/** An empty state for a panel of a page that shows these links already. */
export function emptySelection() {
    return emptyState("No data in this selection.");
}

