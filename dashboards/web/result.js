// The table of any report's result, with intervals, units and definitions.

import { h, name } from "./dom.js";
import { count, date, duration, isMissing, none, number, percent, time, words } from "./format.js";
import { rateText } from "./rates.js";
import { table } from "./table.js";
import { columnDescription } from "./tips.js";

/** The table. A rate's bounds are shown beside it, or as columns of their own if `allColumns` is set. */
export function resultTable(result, allColumns) {
    const definitions = new Map(result.definitions.map((definition) => [definition.name, definition]));
    const names = new Set(result.columns.map((column) => column.name));
    const shown = allColumns ? result.columns : result.columns.filter((column) => !isBound(column.name, names));
    return table({
        caption: `Report ${result.report}`, rows: result.rows,
        empty: "No rows. Choose a longer period, or clear the filters.",
        columns: shown.map((column) => ({
            label: words(column.name), numeric: isNumeric(column), value: (row) => row[column.name],
            cell: cellOf(column, !allColumns && names.has(`${column.name}_low`)),
            class: classOf(column),
            description: [column.name, ...columnDescription(column, definitions.get(column.name))],
        })),
    });
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

function cellOf(column, hasInterval) {
    const value = (row) => row[column.name];
    if (hasInterval && column.unit === "ratio") return (row) => rateText(row, column.name);
    const isClock = column.type === "integer" && ["weekday", "hour"].includes(column.name);
    if (isClock) return (row) => String(value(row)); // these numbers are names, not counts
    switch (column.type) {
    case "integer": return (row) => count(value(row));
    case "number": return (row) => quantity(value(row), column.unit ?? row.unit);
    case "boolean": return (row) => isMissing(value(row)) ? none : value(row) ? "yes" : "no";
    case "time": return (row) => time(value(row));
    case "date": return (row) => date(value(row));
    default: return (row) => isMissing(value(row)) ? h("span", { class: "muted" }, none) : name(value(row));
    }
}

function quantity(value, unit) {
    if (unit === "ratio") return percent(value);
    return unit === "seconds" ? duration(value) : number(value);
}
