// Rates: percentage, interval, and a bar with whiskers. A missing rate says why it is missing.

import { h, hidden } from "./dom.js";
import { count, isMissing, none, percent, range, wholePercent } from "./format.js";

/** The denominators of rates, where they are not `base_n`. */
const denominators = {
    delivery_rate: "sent", confirmation_coverage: "sent", reply_rate: "reply_n", dismiss_rate: "dismiss_n",
    no_response_rate: "closed_n", conversion: "offered_n", failure_rate: "attempts", share: "replied",
    treated_rate: "treated_n", holdout_rate: "holdout_n",
};

export function denominator(row, rate) {
    return row[denominators[rate] ?? "base_n"];
}

/** A rate as text: percentage and interval, or why there is none. */
export function rateText(row, rate) {
    const value = row[rate];
    if (isMissing(value)) return missing(row, rate);
    return [
        h("span", { class: "rate-value" }, percent(value)), " ",
        h("span", { class: "interval" }, range(row[`${rate}_low`], row[`${rate}_high`])),
    ];
}

/** Says why a rate is missing, so that it is not mistaken for 0%. */
function missing(row, rate) {
    const n = denominator(row, rate);
    const why = whyMissing(row, n);
    if (why === "few") {
        return h(
            "span", { class: "badge quiet", title: "Too few deliveries for a meaningful rate" },
            missingText(why, n),
        );
    }
    const text = missingText(why, n);
    return h("span", { class: "muted", title: text }, none, hidden(` (${text})`));
}

/**
 * Why a rate over n deliveries is missing: `no_base`, `few` or `uncovered`. The column `reason` is about all rates of a
 * row, so a denominator of 0 goes before it. A report without the column has only `suppressed`.
 */
export function whyMissing(row, n) {
    if (!(n > 0)) return "no_base";
    return row.reason ?? (row.suppressed ? "few" : "uncovered");
}

/** Why a rate is missing, in words. */
export function missingText(why, n) {
    switch (why) {
        case "few": return `too few: ${count(n)}`;
        case "uncovered": return "more than were sent";
        default: return "no eligible deliveries";
    }
}

/** A rate with a bar, and a whisker for its interval; `scaleEnd` is the rate that fills the whole width. */
export function rateBar(row, rate, scaleEnd) {
    const value = row[rate];
    if (isMissing(value)) return missing(row, rate);
    const [low, high] = [row[`${rate}_low`], row[`${rate}_high`]];
    return h("div", { class: "rate" }, track(value, low, high, scaleEnd), h("div", {}, rateText(row, rate)));
}

function track(value, low, high, scaleEnd) {
    const share = (part) => `${(100 * Math.min(1, part / scaleEnd)).toFixed(2)}%`;
    const bar = h("span", { class: "bar", style: { width: share(value) } });
    const whisker = isMissing(low)
        ? null
        : h("span", { class: "whisker", style: { left: share(low), width: share(high - low) } });
    return h("div", { class: "track", "aria-hidden": "true" }, bar, whisker);
}

/** The largest value of a rate in these rows, including its interval. */
export function largest(rows, rate) {
    return Math.max(0, ...rows.map((row) => row[`${rate}_high`] ?? row[rate] ?? 0));
}

const ends = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1];

/** The end of an axis from zero that holds the rates: a round share. */
export function endOfAxis(most) {
    return ends.find((end) => most <= end) ?? 1;
}

/**
 * The columns of a table that show rates as bars: `list` has the rate and the label of each. All rows have one axis, which
 * begins at zero and is shown at the head. Columns share it too, unless one is so much smaller that its bars would vanish.
 */
export function rateColumns(rows, list, descriptions = {}) {
    const most = Math.max(...list.map(([rate]) => largest(rows, rate)));
    return list.map(([rate, label]) => {
        const own = largest(rows, rate);
        return rateColumn(label, rows, rate, descriptions[rate], endOfAxis(own * 5 < most ? own : most));
    });
}

/** A column of a table that shows a rate as a bar. */
export function rateColumn(label, rows, rate, description = [], end = endOfAxis(largest(rows, rate))) {
    return {
        label, description, value: (row) => row[rate], cell: (row) => rateBar(row, rate, end), largestFirst: true,
        class: "rate-cell", axis: rows.some((row) => !isMissing(row[rate])) ? end : null,
    };
}

/** The axis of a column of bars, for its head. */
export function rateAxis(end) {
    return h("div", { class: "rate axis", "aria-hidden": "true" },
        h("div", { class: "scale" }, h("span", {}, "0"), h("span", {}, wholePercent(end))));
}
