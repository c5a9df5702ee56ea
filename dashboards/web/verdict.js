// What an experiment shows, in plain sentences. Decided from the rows of `experiment` alone.

import { count, isMissing, isolated, percent, points, probability, size, wholePercent } from "./format.js";

const sure = 0.05;
const oddSplit = 0.01;

/**
 * The sentences about the variants of one campaign: `{ level, title, text }` each, the most important first.
 * Levels are `better`, `worse`, `open`, `warn` and `none`.
 */
export function verdicts(rows, leastDeliveries) {
    if (rows.length === 0) return [{
        level: "none", title: "No variants",
        text: "The deliveries state no variant, so there is nothing to compare.",
    }];
    if (rows.length === 1) return [{
        level: "none", title: "One variant",
        text: `All deliveries have the variant ${quoted(rows[0].variant)}; it takes two to compare.`,
    }];
    const control = rows.find((row) => row.control);
    const others = rows.filter((row) => !row.control);
    return [...split(rows), ...others.map((row) => verdict(row, control, leastDeliveries))];
}

/** A split that chance does not explain makes every comparison worthless. */
function split(rows) {
    const p = rows[0].sample_ratio_p;
    if (isMissing(p) || p >= oddSplit) return [];
    return [{
        level: "warn", title: "The split is not as declared",
        text: `Chance alone would split the deliveries so unevenly with a probability of ${probability(p)}. `
            + "Find out why before trusting what follows: some variant may have been sent to others, or not counted.",
    }];
}

function verdict(row, control, leastDeliveries) {
    const [variant, other] = [quoted(row.variant), quoted(control.variant)];
    if (isMissing(row.difference)) return tooFew(row, control, leastDeliveries);
    if (row.p_holm < sure) return clear(row, control, variant, other);
    return open(row, control, variant, other);
}

function tooFew(row, control, leastDeliveries) {
    const variant = quoted(row.variant);
    const short = [row, control].filter((one) => one.base_n < leastDeliveries);
    if (row.base === "none" || short.length === 0) {
        return {
            level: "none",
            title: `${variant} can’t be compared`,
            text: "There are no rates: sends or confirmations are missing.",
        };
    }
    const needed = short.map((one) => `${quoted(one.variant)} has ${count(one.base_n)}`).join(", ");
    return {
        level: "none", title: `Too early to compare ${variant} with ${quoted(control.variant)}`,
        text: `A rate takes ${count(leastDeliveries)} deliveries; ${needed}.`,
    };
}

function clear(row, control, variant, other) {
    const isBetter = row.difference > 0;
    return {
        level: isBetter ? "better" : "worse",
        title: `${variant} converts ${isBetter ? "better" : "worse"} than ${other}`,
        text: `${percent(row.conversion_rate)} against ${percent(control.conversion_rate)}: ${size(row.difference)} `
            + `points ${isBetter ? "more" : "fewer"} (${wholePercent(0.95)} interval ${interval(row)}). Were both the `
            + `same, a difference like this would come by chance with a probability of ${probability(row.p_holm)}.`,
    };
}

function open(row, control, variant, other) {
    const seen = row.difference === 0
        ? "Both have the same rate so far"
        : `So far ${variant} has ${size(row.difference)} points ${row.difference > 0 ? "more" : "fewer"}`;
    return {
        level: "open",
        title: `No winner yet between ${variant} and ${other}`,
        text: `${seen}, and anything from ${interval(row)} points fits the data (p = ${probability(row.p_holm)}). `
            + needed(row, control),
    };
}

/** How many more it takes, if the difference seen is the true one. */
function needed(row, control) {
    if (isMissing(row.n_needed)) return "";
    const more = row.n_needed - Math.min(row.base_n, control.base_n);
    if (more <= 0) return "If the difference is real, a few more deliveries should show it.";
    return `If that difference is real, it takes ${count(row.n_needed)} deliveries per variant to show it, `
        + `${count(more)} more of each.`;
}

function interval(row) {
    return `${points(row.difference_low)} to ${points(row.difference_high)}`;
}

function quoted(variant) {
    return `“${isolated(variant)}”`;
}
