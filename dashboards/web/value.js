// What a campaign was worth: its value in each currency, and that of its variants.

import { columnDescriptions } from "./blocks.js";
import { h, name } from "./dom.js";
import { count, isMissing, none, number } from "./format.js";
import { emptyState } from "./panel.js";
import { numberColumn, table } from "./table.js";

const oneLook = "Intervals of value are right for one look that was planned beforehand. A few large purchases can turn "
    + "them around, so judge variants by their conversion first.";

/**
 * Makes the nodes from the rows of `value` without groups, and for each of its currencies from the rows of `experiment`
 * for one campaign.
 */
export function value(totals, experiments) {
    if (totals.rows.length === 0) return emptyState("No conversion in this selection states a value.");
    return [
        totals.rows.map((row) => h("p", { class: "value-total" }, total(row))),
        experiments.filter(({ rows }) => rows.length > 0).map((result) => variants(result)),
        experiments.some(({ rows }) => rows.length > 1) ? h("p", { class: "note" }, oneLook) : null,
    ];
}

/** The currencies that an experiment can be asked for. */
export function currencies(totals) {
    return totals.rows.map((row) => row.currency).filter((currency) => currency !== null);
}

function total(row) {
    const mean = isMissing(row.value_per_delivery)
        ? ""
        : `, ${money(row.value_per_delivery, row.currency)} per delivery`;
    return [
        h("strong", {}, money(row.total_value, row.currency)),
        ` from ${count(row.converted_with_value)} of ${count(row.base_n)} deliveries${mean} `,
        h("span", { class: "interval" }, range(row, "value_per_delivery", row.currency)),
    ];
}

function variants(result) {
    const { rows } = result;
    const { currency } = result.parameters;
    const descriptions = columnDescriptions(result);
    const column = (label, field) => ({
        label, numeric: true, description: descriptions[field],
        value: (row) => row[field], cell: (row) => estimate(row, field, currency),
    });
    return table({
        caption: `Value of the variants in ${currency}`, rows,
        columns: [
            {
                label: "Variant", description: descriptions.variant, value: (row) => row.variant,
                cell: (row) => [
                    name(row.variant), row.control ? h("span", { class: "badge" }, "control") : null,
                ].filter(Boolean),
            },
            column("Per delivery", "value_per_delivery"),
            column("Difference", "value_difference"),
            numberColumn("Total", "total_value", (total) => amount(total, currency), descriptions.total_value),
            numberColumn("With a value", "converted_with_value", count, descriptions.converted_with_value),
            numberColumn("Deliveries", "base_n", count, descriptions.base_n),
            numberColumn("Design effect", "value_design_effect", number, descriptions.value_design_effect),
        ],
    });
}

function estimate(row, field, currency) {
    if (isMissing(row[field])) return none;
    return [money(row[field], currency), " ", h("span", { class: "interval" }, range(row, field, currency))];
}

function range(row, field, currency) {
    const [low, high] = [row[`${field}_low`], row[`${field}_high`]];
    return isMissing(low) || isMissing(high) ? "" : `${money(low, currency)} to ${money(high, currency)}`;
}

function amount(total, currency) {
    return isMissing(total) ? none : money(total, currency);
}

/** An amount with its currency; one that states none is only a number. */
export function money(amount, currency) {
    if (currency === null) return `${number(amount)} (currency not stated)`;
    try {
        return new Intl.NumberFormat(undefined, { style: "currency", currency }).format(amount);
    } catch {
        return `${number(amount)} ${currency}`;
    }
}
