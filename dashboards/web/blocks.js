// What several pages show: tiles with a number, a page's head, the funnel, groups by their rates.

import { h, hidden, name } from "./dom.js";
import { count, isMissing, percent, range } from "./format.js";
import { nothing } from "./panel.js";
import { denominator, rateColumn, rateText, reason } from "./rates.js";
import { refresh, withFilters } from "./route.js";
import { table } from "./table.js";
import { help, meaning } from "./tips.js";

/** The title of a page, what it is about, and buttons. */
export function pageHead(title, { about = null, kind = null, more = null } = {}) {
    return h(
        "div", { class: "page-head" },
        kind ? h("p", { class: "kind" }, kind) : null,
        h("h1", {}, title),
        about ? h("p", { class: "about" }, about) : null,
        more,
    );
}

/** A button that asks for all of the page again. */
export function refreshButton() {
    return h("button", { type: "button", class: "refresh", on: { click: refresh } }, "Refresh");
}

/** A number with its name. `lines` stand below it, `help` says what it means. */
export function tile({ label, value, lines = [], meaning: texts = [] }) {
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
        const isFew = row.suppressed && denominator(row, rate) > 0;
        return tile({
            label, value: rateText(row, rate), lines: [isFew ? null : reason(denominator(row, rate))],
            meaning: texts,
        });
    }
    return tile({
        label, value: percent(value), meaning: texts,
        lines: [`${range(row[`${rate}_low`], row[`${rate}_high`])}`, `of ${count(denominator(row, rate))}`],
    });
}

/** What the columns of a result mean, by their names. */
export function meanings(result) {
    const definitions = new Map(result.definitions.map((definition) => [definition.name, definition]));
    return Object.fromEntries(
        result.columns.map((column) => [column.name, meaning(column, definitions.get(column.name))]),
    );
}

/** What the rates of a row are shares of. */
export function baseText(row) {
    if (row.base === "sent") return "Rates are shares of what was sent.";
    if (row.base === "confirmed") {
        return "Rates are shares of the deliveries that devices confirmed; no sends were reported.";
    }
    return "There are no rates: neither sends nor confirmations were reported.";
}

/** Groups of `conversion` with their rates; `label(row)` makes the group's cell, `key` names its column. */
export function groupTable({ result, caption, heading, key, label, rates }) {
    const means = meanings(result);
    const rows = result.rows.filter((row) => row.sent > 0 || row.delivered > 0 || row.failed > 0);
    const columns = [
        { label: heading, value: (row) => row[key], cell: label, class: "group" },
        {
            label: "Sent",
            value: (row) => row.sent,
            cell: (row) => count(row.sent),
            numeric: true, meaning: means.sent,
        },
        ...rates.map(([rate, title]) => rateColumn(title, rows, rate, means[rate])),
    ];
    const main = rates[0][0];
    rows.sort((left, right) => (right[main] ?? -1) - (left[main] ?? -1));
    return table({ caption, columns, rows, sort: { index: 2, descending: true } });
}

/** A group's name as a link, or that it is not known. */
export function groupLink(id, address, title = id) {
    return isMissing(id) ? notStated() : h("a", { href: address(id), title: id }, name(title));
}

/** The group of what nobody stated. */
export function notStated() {
    return h("span", { class: "muted" }, "not stated");
}

const steps = {
    sent: ["Sent", "accepted by the provider"],
    delivered: ["Delivered", "seen on the device in any way"],
    displayed: ["Displayed", "as far as the app, a content extension or the browser reports it"],
    responded: ["Responded", "opened, acted, replied or dismissed"],
    acted: ["Acted", "answered with an action or text"],
    converted: ["Converted", "acted with a goal, or a converted event"],
};

/** The steps of `funnel`, each with a bar. */
export function funnel(result) {
    const most = Math.max(1, ...result.rows.map((row) => row.deliveries));
    return h("ol", { class: "funnel" }, result.rows.map((row) => {
        const [title, text] = steps[row.step] ?? [row.step, ""];
        const shares = [
            isMissing(row.share_of_first) ? null : `${percent(row.share_of_first)} of sent`,
            isMissing(row.share_of_previous) ? null : `${percent(row.share_of_previous)} of the step before`,
        ].filter(Boolean);
        return h(
            "li", {},
            h("div", { class: "step" }, h("span", { class: "step-name" }, title), hidden(": "),
                h("span", { class: "step-count" }, count(row.deliveries))),
            h("div", { class: "funnel-track", "aria-hidden": "true" },
                h("span", { class: "bar", style: { width: `${(100 * row.deliveries) / most}%` } })),
            h("div", { class: "step-shares" }, (row.step === "sent" ? [text] : [...shares, text]).join(" · ")),
        );
    }));
}

const narrowing = ["campaign", "category", "platform", "verified"];

/** That a selection holds nothing, with ways out. */
export function nothingHere(address, what = "deliveries") {
    const ways = [];
    if (address.period.name !== "all") {
        ways.push(h("a", { href: withFilters({ period: "all", from: "", to: "" }) }, "Look at all time"));
    }
    if (narrowing.some((name) => address.query.get(name))) {
        const none = Object.fromEntries(narrowing.map((name) => [name, ""]));
        ways.push(h("a", { href: withFilters(none) }, "Clear the filters"));
    }
    const text = `No ${what} in this selection: ${address.period.title}.`;
    return nothing(text, h("p", { class: "ways" }, ways));
}

/** The same in a part of a page whose head says it with ways out. */
export function nothingToShow() {
    return nothing("Nothing in this selection.");
}

