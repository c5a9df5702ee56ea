// What a campaign added: a sentence for each outcome, derived only from the rows of `lift`, and a table of the rates.

import { columnDescriptions } from "./blocks.js";
import { h, name } from "./dom.js";
import {
    amount, count, isMissing, isolated, marginPoints, none, percent, points, pointsRange, probability, size,
    wholePercent,
} from "./format.js";
import { emptyState } from "./panel.js";
import { rateColumns } from "./rates.js";
import { numberColumn, table } from "./table.js";
import { money } from "./value.js";

const mostSentences = 3;
const everyLook = "Verdicts and intervals allow for looking every day. With several outcomes, decide beforehand which "
    + "one the campaign is for.";

/** Makes the nodes from the rows of `lift` for one campaign: a row for each currency of an outcome. */
export function lift(result) {
    if (result.rows.length === 0) return emptyState(
        "No device was held out. Post held_out instead of sent for some devices, chosen at random, to see what the "
            + "campaign added.",
    );
    const rows = result.rows.filter((row, index) => index === result.rows.findIndex(isSameOutcome(row))).sort(
        (left, right) => isDecided(right) - isDecided(left) || outcomes(right) - outcomes(left),
    );
    const worth = (row) => result.rows.filter(isSameOutcome(row)).filter(isWorth);
    const sentences = rows.slice(0, mostSentences).map((row) => {
        const made = sentence(row, result.parameters);
        return isDecided(row) ? { ...made, text: made.text + inMoney(worth(row)) } : made;
    });
    // It is about the deliveries, which are the same for every outcome.
    const shown = sentences[0].level === "warn" ? sentences.slice(0, 1) : sentences;
    return [
        h("div", { class: "verdicts" }, shown.map(({ level, title, text }) =>
            h("div", { class: `verdict ${level}` }, h("p", { class: "verdict-title" }, title), h("p", {}, text)))),
        h("p", { class: "note" }, everyLook),
        rates(result, rows, worth),
    ];
}

function isDecided(row) {
    return row.verdict === "better" || row.verdict === "worse";
}

function outcomes(row) {
    return row.treated_outcomes + row.holdout_outcomes;
}

function sentence(row, { min_n: minDeliveries, margin, window }) {
    if (row.verdict === "sample_ratio_mismatch") return mismatched(row);
    if (row.outcome === null && outcomes(row) === 0) return {
        level: "none", title: "No outcome yet",
        text: `Nobody did anything within the window: neither a device of the ${sizes(row)}.`,
    };
    if (isMissing(row.difference)) return {
        level: "none", title: `${label(row)}: too early to compare`,
        text: `A rate needs at least ${amount(count(Math.max(minDeliveries ?? 30, 1)), "delivery", "deliveries")}; `
            + `there are ${count(row.treated_n)} that were sent and ${count(row.holdout_n)} that were held out.`,
    };
    switch (row.verdict) {
        case "better":
        case "worse": return decided(row, window);
        case "equivalent": return {
            level: "equivalent", title: `${label(row)}: the campaign made no difference that matters`,
            text: `${compared(row, window)} Any difference is at most ${marginPoints(margin ?? 0.01)} `
                + `(${interval(row)}).`,
        };
        case "waiting": return {
            level: "none", title: `${label(row)}: too early to say what the campaign added`,
            text: `The window of most deliveries has not passed. So far: ${compared(row, window)}`,
        };
        default: return {
            level: "undecided", title: `${label(row)}: it is not clear yet whether the campaign added any`,
            text: `${compared(row, window)} The data fit any difference in the ${interval(row)}, and so none: `
                + `${addedRange(row)} in all. Wait for more deliveries, or hold out more devices the next time.`,
        };
    }
}

function mismatched(row) {
    const share = row.holdout_n / (row.holdout_n + row.treated_n);
    return {
        level: "warn", title: "Sample ratio mismatch: the holdout is not as declared",
        text: `${percent(share)} of the deliveries were held out, which a fair choice of the declared share rarely `
            + `yields (p-value ${probability(row.sample_ratio_p_anytime)}). Find the cause before you compare: the two `
            + "groups may be different people.",
    };
}

function decided(row, window) {
    const isBetter = row.verdict === "better";
    return {
        level: row.verdict,
        title: `${label(row)}: the campaign ${isBetter ? "added" : "cost"} about ${count(Math.abs(row.added))}`,
        text: `${compared(row, window)} That is ${size(row.difference)} percentage points `
            + `${isBetter ? "more" : "less"} (${interval(row)}), or ${addedRange(row)} in all, `
            + "which would not have happened without the campaign.",
    };
}

function compared(row, window) {
    return `${percent(row.treated_rate)} of the ${count(row.treated_n)} deliveries that were sent led to it within `
        + `${lengthOf(window)}, and ${percent(row.holdout_rate)} of the ${count(row.holdout_n)} that were held out.`;
}

/** The parameter `window`, such as `7d`, in words. */
function lengthOf(window) {
    const days = /^(\d+)d$/.exec(window ?? "7d");
    return days ? amount(days[1], "day", "days") : window;
}

function sizes(row) {
    return `${count(row.treated_n)} deliveries that were sent nor one of the ${count(row.holdout_n)} that were held out`;
}

/** The interval that holds at every look. */
function interval(row) {
    return `${wholePercent(0.95)} interval ${pointsRange(row.difference_low_anytime, row.difference_high_anytime)}`;
}

function addedRange(row) {
    return `${count(Math.round(row.added_low_anytime))} to ${count(Math.round(row.added_high_anytime))}`;
}

function label(row) {
    return row.outcome === null ? "Outcomes without a name" : `“${isolated(row.outcome)}”`;
}

function isSameOutcome(row) {
    return ({ outcome }) => outcome === row.outcome;
}

/** Whether a row says what the campaign added in a currency. */
function isWorth(row) {
    return row.currency !== null && !isMissing(row.value_added);
}

function inMoney(worth) {
    return worth.map((row) => {
        const interval = isMissing(row.value_added_low)
            ? "" : ` (${wholePercent(0.95)} interval ${valueRange(row)}, for one planned look)`;
        return ` In money it is about ${money(row.value_added, row.currency)}${interval}.`;
    }).join("");
}

function valueRange(row) {
    return `${money(row.value_added_low, row.currency)} to ${money(row.value_added_high, row.currency)}`;
}

function valueAdded(worth) {
    if (worth.length === 0) return none;
    return worth.map((row) => h("div", {},
        money(row.value_added, row.currency), " ",
        h("span", { class: "interval" }, isMissing(row.value_added_low) ? "" : valueRange(row))));
}

function rates(result, rows, worth) {
    const descriptions = columnDescriptions(result);
    return table({
        caption: "Outcomes", rows,
        columns: [
            {
                label: "Outcome", value: (row) => row.outcome ?? "", description: descriptions.outcome,
                cell: (row) => row.outcome === null ? h("span", { class: "muted" }, "no name") : name(row.outcome),
            },
            ...rateColumns(rows, [["treated_rate", "Sent"], ["holdout_rate", "Held out"]], descriptions),
            {
                label: "Difference (points)", numeric: true, value: (row) => row.difference, cell: difference,
                description: [
                    "treated_rate less holdout_rate, in percentage points, with its 95 % interval that holds at every "
                        + "look",
                ],
            },
            {
                label: "Added", numeric: true, value: (row) => row.added, description: descriptions.added,
                cell: (row) => isMissing(row.added) ? none : count(Math.round(row.added)),
            },
            {
                label: "Value added", numeric: true, value: (row) => worth(row)[0]?.value_added,
                cell: (row) => valueAdded(worth(row)), description: descriptions.value_added,
            },
            numberColumn("Deliveries sent", "treated_n", count, descriptions.treated_n),
            numberColumn("Held out", "holdout_n", count, descriptions.holdout_n),
        ],
    });
}

function difference(row) {
    if (isMissing(row.difference)) return none;
    return [
        points(row.difference), " ",
        h("span", { class: "interval" }, pointsRange(row.difference_low_anytime, row.difference_high_anytime)),
    ];
}
