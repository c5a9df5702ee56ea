// The variants of a campaign: a verdict in words, and a table of their rates.

import { columnDescriptions } from "./blocks.js";
import { h, name } from "./dom.js";
import { count, isMissing, none, number, points, pointsRange } from "./format.js";
import { rateColumn } from "./rates.js";
import { numberColumn, table } from "./table.js";
import { isComparison, verdicts } from "./verdict.js";

const everyLook = "Verdicts and intervals allow for looking every day: you may stop as soon as one says so.";

/** Makes the nodes from the rows of `experiment` for one campaign. */
export function variants(result) {
    const { rows } = result;
    const { min_n: minDeliveries, margin } = result.parameters;
    const sentences = verdicts(rows, minDeliveries ?? 30, margin ?? 0.01);
    return [
        h("div", { class: "verdicts" }, sentences.map(({ level, title, text }) =>
            h("div", { class: `verdict ${level}` }, h("p", { class: "verdict-title" }, title), h("p", {}, text)))),
        sentences.some(isComparison) ? h("p", { class: "note" }, everyLook) : null,
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
                description: [
                    "conversion_rate less the control's, in percentage points, with its 95 % interval that holds at "
                        + "every look",
                ],
            },
            numberColumn("Deliveries", "base_n", count, descriptions.base_n),
            numberColumn("Converted", "converted", count, descriptions.converted),
            numberColumn("Devices", "devices", count, descriptions.devices),
            numberColumn("Per device", "deliveries_per_device", number, descriptions.deliveries_per_device),
            numberColumn("Design effect", "design_effect", number, descriptions.design_effect),
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
        h("span", { class: "interval" }, pointsRange(row.difference_low_anytime, row.difference_high_anytime)),
    ];
}
