// The variants of a campaign: a verdict in words, and a table of their rates.

import { columnDescriptions } from "./blocks.js";
import { h, name } from "./dom.js";
import { count, isMissing, none, points, probability } from "./format.js";
import { rateColumn } from "./rates.js";
import { table } from "./table.js";
import { verdicts } from "./verdict.js";

/** Makes the nodes from the rows of `experiment` for one campaign. */
export function variants(result) {
    const { rows } = result;
    const sentences = verdicts(rows, result.parameters.min_n ?? 30);
    return [
        h("div", { class: "verdicts" }, sentences.map(({ level, title, text }) =>
            h("div", { class: `verdict ${level}` }, h("p", { class: "verdict-title" }, title), h("p", {}, text)))),
        rows.length > 0 ? rates(result, rows) : null,
    ];
}

function rates(result, rows) {
    const descriptions = columnDescriptions(result);
    return table({
        caption: "Variants", rows,
        columns: [
            {
                label: "Variant",
                value: (row) => row.variant,
                cell: (row) => variantName(row),
                description: descriptions.variant,
            },
            rateColumn("Conversion", rows, "conversion_rate", descriptions.conversion_rate),
            {
                label: "Difference (points)", numeric: true, value: (row) => row.difference, cell: difference,
                description: descriptions.difference,
            },
            {
                label: "p", numeric: true,
                value: (row) => row.p_holm,
                cell: (row) => isMissing(row.p_holm) ? none : probability(row.p_holm),
                description: descriptions.p_holm,
            },
            {
                label: "Deliveries", numeric: true,
                value: (row) => row.base_n,
                cell: (row) => count(row.base_n),
                description: descriptions.base_n,
            },
            {
                label: "Converted", numeric: true,
                value: (row) => row.converted,
                cell: (row) => count(row.converted),
                description: descriptions.converted,
            },
        ],
    });
}

function variantName(row) {
    return [name(row.variant), row.control ? h("span", { class: "badge" }, "control") : null].filter(Boolean);
}

function difference(row) {
    if (isMissing(row.difference)) return none;
    return [
        points(row.difference), " ",
        h("span", { class: "interval" }, `${points(row.difference_low)} to ${points(row.difference_high)}`),
    ];
}
