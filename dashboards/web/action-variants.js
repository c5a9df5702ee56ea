// The actions of a campaign with variants: one row per action, with the rate of each variant and their difference.

import { actionName } from "./actions.js";
import { columnDescriptions, groupLink } from "./blocks.js";
import { h } from "./dom.js";
import { count, duration, isMissing, none, points, pointsRange, wholePercent } from "./format.js";
import { endOfAxis, largest, rateBar } from "./rates.js";
import { categoryHref } from "./route.js";
import { table } from "./table.js";

/** With more variants, the differences would hide the rates. */
const mostDifferences = 2;

/** The variants in the rows of `actions`, the control first. */
export function variantsOf(result, campaign) {
    const names = [...new Set(result.rows.map((row) => row.variant))].filter((variant) => variant !== null).sort();
    const control = campaign?.variants.find((variant) => variant.control)?.id;
    return names.includes(control) ? [control, ...names.filter((variant) => variant !== control)] : names;
}

/** The table for a result of `actions` about one campaign. `variants` has the control first. */
export function actionVariants(result, variants) {
    const rows = byAction(result.rows);
    const [control, ...others] = variants;
    const end = endOfAxis(largest(result.rows, "conversion"));
    const descriptions = columnDescriptions(result);
    const rate = (variant) => ({
        label: variant === control ? `${variant} (control)` : variant, axis: end, class: "rate-cell", largestFirst: true,
        value: (row) => row.of.get(variant)?.conversion,
        cell: (row) => [rateCell(row.of.get(variant), end), variant === control ? null : narrowGap(row, variant)],
        description: [`Conversion of variant ${variant}.`, ...descriptions.conversion],
    });
    const gap = (variant) => ({
        label: others.length > 1 ? `${variant} less ${control}` : `Difference (${variant} less ${control})`,
        numeric: true, class: "wide", value: (row) => difference(row.of.get(variant), row.of.get(control))?.value,
        cell: (row) => gapCell(difference(row.of.get(variant), row.of.get(control))),
        description: [
            `In percentage points, with its ${wholePercent(0.95)} interval (Newcombe), for one planned look at one action.`,
        ],
    });
    /** The difference below the rate, where the table is too narrow for a column of it. */
    const narrowGap = (row, variant) => others.length <= mostDifferences && h(
        "div", { class: "narrow" }, gapCell(difference(row.of.get(variant), row.of.get(control)), " points"),
    );
    const hasUnknown = result.rows.some((row) => row.variant === null);
    return [
        table({
            caption: "Conversion per action and variant", rows,
            columns: [
                {
                    label: "Action", class: "group", value: (row) => row.title ?? row.action_id, cell: actionName,
                    description: descriptions.action_id,
                },
                ...variants.map(rate),
                ...(others.length <= mostDifferences ? others.map(gap) : []),
                {
                    label: "Category", value: (row) => row.category_id, description: descriptions.category_id,
                    cell: (row) => groupLink(row.category_id, categoryHref),
                },
            ],
        }),
        hasUnknown ? h("p", { class: "as-of" }, "Deliveries without a variant are left out.") : null,
    ];
}

/** One row per action, the largest rate first; `of` has the report's row of each variant. */
function byAction(rows) {
    const actions = new Map();
    for (const row of rows.filter((row) => row.variant !== null)) {
        const key = JSON.stringify([row.category_id, row.action_id, row.declared]);
        if (!actions.has(key)) actions.set(key, { ...row, of: new Map() });
        actions.get(key).of.set(row.variant, row);
    }
    const best = ({ of }) => Math.max(...[...of.values()].map((row) => row.conversion ?? -1));
    return [...actions.values()].sort((left, right) => best(right) - best(left));
}

function rateCell(row, end) {
    if (!row) return none;
    const middle = isMissing(row.p50_seconds) ? "" : ` · median ${duration(row.p50_seconds)}`;
    if (!row.declared) {
        return [
            h("span", { class: "badge warn", title: "The delivery’s category version did not include this action" },
                "not offered"),
            h("div", { class: "muted small" }, `${count(row.acted)} acted${middle}`),
        ];
    }
    return [
        rateBar(row, "conversion", end),
        h("div", { class: "muted small" }, `${count(row.acted)} of ${count(row.offered_n)}${middle}`),
    ];
}

/** The difference of two rates, with Newcombe's interval from the interval of each; null without both rates. */
function difference(row, control) {
    if (isMissing(row?.conversion) || isMissing(control?.conversion)) return null;
    const [p, q] = [row, control].map(({ conversion, conversion_low: low, conversion_high: high }) => ({
        rate: conversion, below: conversion - low, above: high - conversion,
    }));
    const value = p.rate - q.rate;
    return {
        value, low: value - Math.hypot(p.below, q.above), high: value + Math.hypot(p.above, q.below),
    };
}

function gapCell(gap, unit = "") {
    if (gap === null) return none;
    const isClear = gap.low > 0 || gap.high < 0;
    return [
        h("span", { class: isClear ? "rate-value" : "muted" }, `${points(gap.value)}${unit}`),
        h("div", { class: "interval" }, pointsRange(gap.low, gap.high)),
    ];
}
