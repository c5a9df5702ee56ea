// Response rates by weekday and hour, as a table with coloured cells.

import { h, hidden } from "./dom.js";
import { count, isMissing, percent, range, wholePercent } from "./format.js";
import { emptyState } from "./panel.js";

const levels = 5;

/** The table for the rows of `heatmap`; null if there are none. */
export function heatmap(result) {
    const rows = result.rows.filter((row) => row.base_n > 0);
    if (rows.length === 0) return null;
    const rates = rows.map((row) => row.response_rate).filter((rate) => !isMissing(rate));
    if (rates.length === 0) return emptyState("Too few deliveries in each hour. Choose a longer period.");
    const scale = { least: Math.min(...rates), most: Math.max(...rates) };
    const cells = new Map(rows.map((row) => [`${row.weekday} ${row.hour}`, row]));
    const hours = Array.from({ length: 24 }, (_, hour) => hour);
    return [
        h(
            "div", {
                class: "scroller", role: "region", tabindex: "0", "aria-label": "Table: response rate by weekday and hour",
            },
            h(
                "table", { class: "heatmap" },
                h(
                    "caption", { class: "visually-hidden" },
                    "Response rate by weekday and hour",
                ),
                h("thead", {}, h("tr", {}, h("th", { scope: "col" }, hidden("Weekday")),
                    hours.map((hour) => h("th", { scope: "col" }, String(hour).padStart(2, "0"))))),
                h("tbody", {}, [1, 2, 3, 4, 5, 6, 7].map((weekday) => h(
                    "tr", {},
                    h("th", { scope: "row" }, weekdayName(weekday)),
                    hours.map((hour) => cell(cells.get(`${weekday} ${hour}`), scale)),
                ))),
            ),
        ),
        legend(scale),
    ];
}

/** 2024-01-01 was a Monday. */
function weekdayName(weekday) {
    const day = new Date(Date.UTC(2024, 0, weekday));
    return new Intl.DateTimeFormat(undefined, { weekday: "short", timeZone: "UTC" }).format(day);
}

function cell(row, { least, most }) {
    if (!row) return h("td", {}, hidden("no deliveries"));
    const { response_rate: rate, base_n: n } = row;
    if (isMissing(rate)) {
        return h(
            "td", { class: "few", title: `too few deliveries: ${count(n)}` },
            h("span", { "aria-hidden": "true" }, "·"),
            hidden("too few"),
        );
    }
    const part = most > least ? (rate - least) / (most - least) : 0.5;
    const level = 1 + Math.min(levels - 1, Math.floor(part * levels));
    const title = `${percent(rate)} (${range(row.response_rate_low, row.response_rate_high)}) of ${count(n)}`;
    return h("td", { class: `level-${level}`, title }, wholePercent(rate).replace(/\s?%/, ""));
}

function legend({ least, most }) {
    return h(
        "p", { class: "legend", "aria-hidden": "true" },
        percent(least), [1, 2, 3, 4, 5].map((level) => h("span", { class: `swatch level-${level}` })), percent(most),
        h("span", { class: "muted" }, " · Numbers are percentages; a dot marks too few deliveries."),
    );
}
