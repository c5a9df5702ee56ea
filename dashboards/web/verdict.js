// The outcome of an experiment in plain sentences, derived only from the rows of `experiment`.

import { count, isMissing, isolated, percent, points, probability, size, wholePercent } from "./format.js";

const significanceLevel = 0.05;
const sampleRatioLevel = 0.01;

/**
 * The sentences about the variants of one campaign: `{ level, title, text }` each, the most important first.
 * Levels are `better`, `worse`, `undecided`, `warn` and `none`.
 */
export function verdicts(rows, minDeliveries) {
    if (rows.length === 0) return [{
        level: "none", title: "No variants",
        text: "These deliveries have no variant, so there is nothing to compare.",
    }];
    if (rows.length === 1) return [{
        level: "none", title: "One variant",
        text: `All deliveries have the variant ${quoted(rows[0].variant)}. A comparison needs at least two.`,
    }];
    const control = rows.find((row) => row.control);
    const others = rows.filter((row) => !row.control);
    return [...sampleRatio(rows), ...others.map((row) => verdict(row, control, minDeliveries))];
}

/** A sample ratio mismatch invalidates every comparison. */
function sampleRatio(rows) {
    const p = rows[0].sample_ratio_p;
    if (isMissing(p) || p >= sampleRatioLevel) return [];
    return [{
        level: "warn", title: "Sample ratio mismatch: the split is not as declared",
        text: `Chance alone produces a split this uneven with a probability of ${probability(p)}. Find the cause `
            + "before you trust the results: a variant may have gone to other people, or some of it is not counted.",
    }];
}

function verdict(row, control, minDeliveries) {
    const [variant, other] = [quoted(row.variant), quoted(control.variant)];
    if (isMissing(row.difference)) return tooFew(row, control, minDeliveries);
    if (row.p_holm < significanceLevel) return decided(row, control, variant, other);
    return undecided(row, control, variant, other);
}

function tooFew(row, control, minDeliveries) {
    const variant = quoted(row.variant);
    const short = [row, control].filter((one) => one.base_n < minDeliveries);
    if (row.base === "none" || short.length === 0) {
        return {
            level: "none",
            title: `${variant} can’t be compared`,
            text: "There are no rates, because sends or confirmations are missing.",
        };
    }
    const needed = short.map((one) => `${quoted(one.variant)} has ${count(one.base_n)}`).join(", ");
    return {
        level: "none", title: `Too early to compare ${variant} with ${quoted(control.variant)}`,
        text: `A rate needs at least ${count(minDeliveries)} deliveries; ${needed}.`,
    };
}

function decided(row, control, variant, other) {
    const isBetter = row.difference > 0;
    return {
        level: isBetter ? "better" : "worse",
        title: `${variant} converts ${isBetter ? "better" : "worse"} than ${other}`,
        text: `${percent(row.conversion_rate)} compared with ${percent(control.conversion_rate)}: `
            + `${size(row.difference)} points ${isBetter ? "higher" : "lower"} (${wholePercent(0.95)} confidence `
            + `interval ${interval(row)}). If both were equally good, a difference like this would occur with a `
            + `probability of ${probability(row.p_holm)}.`,
    };
}

function undecided(row, control, variant, other) {
    const seen = row.difference === 0
        ? "Both have the same rate so far"
        : `So far ${variant} is ${size(row.difference)} points ${row.difference > 0 ? "higher" : "lower"}`;
    return {
        level: "undecided",
        title: `No winner yet between ${variant} and ${other}`,
        text: `${seen}, but the data fit any difference from ${interval(row)} points (p = ${probability(row.p_holm)}). `
            + needed(row, control),
    };
}

/** How many more deliveries are needed if the observed difference is real. */
function needed(row, control) {
    if (isMissing(row.n_needed)) return "";
    const more = row.n_needed - Math.min(row.base_n, control.base_n);
    if (more <= 0) return "If the difference is real, a few more deliveries should confirm it.";
    return `If that difference is real, confirming it takes about ${count(row.n_needed)} deliveries per variant, `
        + `${count(more)} more each.`;
}

function interval(row) {
    return `${points(row.difference_low)} to ${points(row.difference_high)}`;
}

function quoted(variant) {
    return `“${isolated(variant)}”`;
}
