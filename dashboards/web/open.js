// Deliveries that can still be answered: while they are many, a rate is lower than it will be.

import { h } from "./dom.js";
import { isMissing, wholePercent } from "./format.js";

/** With a larger share of open deliveries, no change of a rate is called better or worse. */
export const openLimit = 0.2;

/** The share of the deliveries of a row of `conversion` that can still be answered. */
function pendingShare(row) {
    return row.base_n > 0 && !isMissing(row.pending) ? Math.min(1, row.pending / row.base_n) : 0;
}

/** Whether so many deliveries of a row of `conversion` can still be answered that its rates will rise. */
export function isMostlyOpen(row) {
    return pendingShare(row) > openLimit;
}

/** A mark for a row of `conversion` whose rates will rise, or null. */
export function openMark(row) {
    if (!isMostlyOpen(row)) return null;
    return h(
        "span", {
            class: "badge open",
            title: "This share of the deliveries has no response yet and can still be answered, so the rates will rise",
        },
        `${wholePercent(pendingShare(row))} open`,
    );
}
