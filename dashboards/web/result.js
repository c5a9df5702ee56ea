// The table of any report's result, with intervals, units and definitions.

import { h, name } from "./dom.js";
import { count, date, duration, isMissing, none, number, percent, time } from "./format.js";
import { columnLabel, inReadingOrder, intervalText, leadingGroups, readable } from "./readable.js";
import { rateText } from "./rates.js";
import { withFilters } from "./route.js";
import { table } from "./table.js";
import { columnDescription } from "./tips.js";

/**
 * The table: groups first, which stay in view, then rates, then everything else. A value's bounds are shown beside it, or
 * as columns of their own if `allColumns` is set; then the columns have the report's order, too.
 */
export function resultTable(result, allColumns) {
    const definitions = new Map(result.definitions.map((definition) => [definition.name, definition]));
    const names = new Set(result.columns.map((column) => column.name));
    const shown = allColumns
        ? result.columns : inReadingOrder(result.columns.filter((column) => !isBound(column.name, names)));
    const isSecondGroup = (index) => index === 1 && leadingGroups(shown) > 1;
    return table({
        caption: `Report ${result.report}`, rows: result.rows,
        empty: emptyText(result),
        columns: shown.map((column, index) => ({
            name: column.name, label: columnLabel(column), numeric: isNumeric(column), value: (row) => row[column.name],
            cell: cellOf(column, !allColumns && names.has(`${column.name}_low`), result),
            class: classOf(column), sticky: isSecondGroup(index),
            description: [column.name, ...columnDescription(column, definitions.get(column.name))],
        })),
    });
}

/** What no rows of a report mean; of reports of what is wrong, that nothing is. */
const emptyTexts = {
    undeclared: "Good news: everything that events name is declared.",
    rejected: "Good news: no event was rejected in this period.",
    failures: "Good news: no delivery failed in this period.",
    dialects: "No client of another system, such as Segment’s or PostHog’s, has posted in the last 90 days.",
};

function emptyText({ report }) {
    return emptyTexts[report] ?? "No rows. Choose a longer period, or clear the filters.";
}

/** Whether a column is the lower or upper bound of another one. */
function isBound(column, names) {
    const match = /^(.+)_(low|high)$/.exec(column);
    return match !== null && names.has(match[1]);
}

function isNumeric(column) {
    return column.type === "integer" || column.type === "number";
}

function classOf({ type, name }) {
    if (type === "text") return ["text", "detail"].includes(name) ? "long" : "texty";
    return type === "time" || type === "date" ? "nowrap" : null;
}

function cellOf(column, hasInterval, result) {
    const text = textOf(column, result);
    if (!hasInterval) return text;
    return (row) => {
        // A rate says why it is missing.
        if (column.unit === "ratio" && isMissing(row[column.name])) return rateText(row, column.name);
        const bounds = intervalText(column, row, result);
        if (bounds === "") return text(row);
        return [h("span", { class: "rate-value" }, text(row)), " ", h("span", { class: "interval" }, bounds)];
    };
}

function textOf(column, result) {
    const value = (row) => row[column.name];
    const typed = typedText(column, value);
    return (row) => readable(column, row, result) ?? typed(row);
}

function typedText(column, value) {
    switch (column.type) {
    case "integer": return (row) => count(value(row));
    case "number": return (row) => quantity(value(row), column.unit ?? row.unit);
    case "boolean": return (row) => isMissing(value(row)) ? none : value(row) ? "yes" : "no";
    case "time": return (row) => time(value(row));
    case "date": return (row) => date(value(row));
    default: return (row) => isMissing(value(row))
        ? h("span", { class: "muted" }, none) : drillDown(column.name, value(row)) ?? name(value(row));
    }
}

/** The filters by the columns that reports name them in. */
const filterOf = {
    campaign_id: "campaign", category_id: "category", variant: "variant", platform: "platform", app_version: "app_version",
};

/** A link to the report of one group: filtered by it, and split by the other groups, or else by day; null if it is none. */
function drillDown(column, value) {
    const filter = filterOf[column];
    const by = (new URLSearchParams(location.search).get("by") ?? "").split(",");
    if (!by.includes(filter)) return null;
    const others = by.filter((one) => one !== filter).join(",") || "day";
    return h("a", { href: withFilters({ [filter]: value, by: others }) }, name(value));
}

function quantity(value, unit) {
    if (unit === "ratio") return percent(value);
    return unit === "seconds" ? duration(value) : number(value);
}
