// The outcome of an experiment in plain sentences, derived only from the rows of `experiment`.

import {
    amount, count, isMissing, isolated, marginPoints, percent, pointsRange, probability, size, wholePercent,
} from "./format.js";

/**
 * The sentences about the variants of one campaign: `{ level, title, text }` each, the most important first.
 * Levels are `better`, `worse`, `equivalent`, `undecided`, `warn` and `none`.
 *
 * @param {number} minDeliveries the report's parameter `min_n`
 * @param {number} margin the report's parameter `margin`
 */
export function verdicts(rows, minDeliveries, margin) {
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
    const mismatched = others.find((row) => row.verdict === "sample_ratio_mismatch");
    if (mismatched) return [sampleRatioMismatch(mismatched)];
    return others.map((row) => verdict(row, control, minDeliveries, margin));
}

/** Whether a verdict compares two rates, rather than saying why they can't be compared. */
export function isComparison({ level }) {
    return ["better", "worse", "equivalent", "undecided"].includes(level);
}

function verdict(row, control, minDeliveries, margin) {
    if (isMissing(row.difference)) return notCompared(row, control, minDeliveries);
    switch (row.verdict) {
        case "better":
        case "worse": return decided(row, control);
        case "equivalent": return equivalent(row, control, margin);
        case "waiting": return stillOpen(row, control);
        default: return undecided(row, control);
    }
}

/** A sample ratio mismatch invalidates every comparison. */
function sampleRatioMismatch(row) {
    return {
        level: "warn", title: "Sample ratio mismatch: the split is not as declared",
        text: "The variants did not get the shares of deliveries that you declared; a fair split rarely looks like "
            + `this (p-value ${probability(row.sample_ratio_p_anytime)}). Find the cause before you compare rates: a `
            + "variant may have gone to other people, or some of its deliveries are not counted.",
    };
}

function notCompared(row, control, minDeliveries) {
    const variant = quoted(row.variant);
    if (row.base === "none") return {
        level: "none", title: `${variant} can’t be compared`,
        text: "There are no rates, because sends or confirmations are missing.",
    };
    const needed = Math.max(minDeliveries, 1);
    const short = [row, control].filter((one) => one.base_n < needed);
    if (short.length > 0) return {
        level: "none", title: `Too early to compare ${variant} with ${quoted(control.variant)}`,
        text: `A rate needs at least ${amount(count(needed), "delivery", "deliveries")}; `
            + `${short.map((one) => `${quoted(one.variant)} has ${count(one.base_n)}`).join(", ")}. Wait for more.`,
    };
    const uncovered = [row, control].filter((one) => one.reason === "uncovered").map((one) => quoted(one.variant));
    return {
        level: "none", title: `${variant} can’t be compared`,
        text: uncovered.length > 0
            ? `More deliveries of ${uncovered.join(" and ")} converted than were declared as sent. Declare the `
                + "missing sends."
            : "The report has no difference for it.",
    };
}

function decided(row, control) {
    const [isBetter, variant, other] = [row.verdict === "better", quoted(row.variant), quoted(control.variant)];
    return {
        level: row.verdict,
        title: `${variant} converts ${isBetter ? "better" : "worse"} than ${other}`,
        text: `${percent(row.conversion_rate)} compared with ${percent(control.conversion_rate)}: `
            + `${size(row.difference)} percentage points ${isBetter ? "higher" : "lower"} (${interval(row)}). `
            + `You can stop here and ${isBetter ? "use" : "drop"} ${variant}.`,
    };
}

function equivalent(row, control, margin) {
    const [variant, other] = [quoted(row.variant), quoted(control.variant)];
    return {
        level: "equivalent",
        title: `${variant} and ${other} convert equally well`,
        text: `Any difference is at most ${marginPoints(margin)}: ${soFar(row, control)} `
            + `(${interval(row)}). You can stop here and use either.`,
    };
}

function stillOpen(row, control) {
    return {
        level: "none",
        title: `Too early to compare ${quoted(row.variant)} with ${quoted(control.variant)}`,
        text: "More than half of the deliveries of a variant are within their response window and can still convert. "
            + `So far ${soFar(row, control)} (${interval(row)}). Wait until most windows have ended.`,
    };
}

function undecided(row, control) {
    return {
        level: "undecided",
        title: `No winner yet between ${quoted(row.variant)} and ${quoted(control.variant)}`,
        text: [
            `So far ${soFar(row, control)}. The data fit any difference in the ${interval(row)}, and so equal rates.`,
            needed(row, control), detectable(row), "Wait for more deliveries, or stop without a winner.",
        ].filter(Boolean).join(" "),
    };
}

/** How many deliveries show the declared minimum effect. */
function needed(row, control) {
    if (isMissing(row.n_needed)) return null;
    const least = Math.min(row.base_n, control.base_n);
    return `The declared minimum effect takes at least ${count(row.n_needed)} deliveries per variant`
        + (least < row.n_needed
            ? `, ${count(row.n_needed - least)} more than the smaller one has.`
            : ", and both have as many.");
}

/** What the deliveries so far can show. */
function detectable(row) {
    if (isMissing(row.detectable_effect)) return null;
    return "In 8 of 10 cases, one planned look at this many deliveries shows an increase of "
        + `${size(row.detectable_effect)} points; smaller ones are easily missed.`;
}

function soFar(row, control) {
    if (row.difference === 0) return "both have the same rate";
    return `${quoted(row.variant)} is ${size(row.difference)} points ${row.difference > 0 ? "above" : "below"} `
        + quoted(control.variant);
}

/** The interval that holds at every look. */
function interval(row) {
    return `${wholePercent(0.95)} interval ${pointsRange(row.difference_low_anytime, row.difference_high_anytime)}`;
}

function quoted(variant) {
    return `“${isolated(variant)}”`;
}
