// The comparison of a period with an earlier one, chosen in the filters.

import { report } from "./api.js";
import { columnDescriptions } from "./blocks.js";
import { h } from "./dom.js";
import { count, date, isMissing, percent, points, pointsRange, range, relative } from "./format.js";
import { emptyState, panel } from "./panel.js";
import { addDays } from "./period.js";
import { table } from "./table.js";

const day = 86_400_000;

/** The choices, with the number of days between the periods; a year of whole weeks keeps the weekdays. */
export const comparisons = [
    ["", "No comparison"], ["previous", "Previous period"], ["week", "A week before"], ["year", "A year before"],
];

const rates = [
    ["delivery_rate", "Delivered"], ["open_rate", "Opened"], ["action_rate", "Acted"], ["conversion_rate", "Converted"],
];

/** The panel that compares, or null if none is chosen or the period has no start or no end. */
export function comparison(address, signal) {
    const chosen = comparisons.find(([name]) => name && name === address.query.get("compare"));
    const { from, to } = address.parameters;
    if (!chosen || !from || !to) return null;
    const days = { week: 7, year: 364 }[chosen[0]] ?? Math.ceil((Date.parse(to) - Date.parse(from)) / day);
    const earlier = { from: shift(from, -days), to: shift(to, -days) };
    return panel({
        title: `Compared with ${chosen[1].toLowerCase()}`, id: "comparison",
        about: h("span", { class: "muted" }, `${date(earlier.from.slice(0, 10))} to ${date(lastDay(earlier.to))}`),
        load: () => Promise.all([address.parameters, { ...address.parameters, ...earlier }].map((parameters) =>
            report("conversion", parameters, signal))),
        render: ([now, then]) => draw(now, then),
    });
}

function shift(text, days) {
    if (text.length === 10) return addDays(text, days);
    return new Date(Date.parse(text) + days * day).toISOString().replace(".000Z", "Z");
}

function lastDay(to) {
    return to.length === 10 ? addDays(to, -1) : to.slice(0, 10);
}

function draw(now, then) {
    const [row, before] = [now.rows[0], then.rows[0]];
    if (!before || (!before.sent && !before.delivered)) return emptyState("No deliveries in the earlier period.");
    const descriptions = columnDescriptions(now);
    const rows = [
        { label: "Sent", now: count(row.sent), then: count(before.sent), change: countChange(row.sent, before.sent) },
        ...rates.map(([rate, label]) => ({
            label, now: rateText(row, rate), then: rateText(before, rate), change: rateChange(row, before, rate),
            description: descriptions[rate],
        })),
    ];
    const open = row.base_n > 0 ? row.pending / row.base_n : 0;
    return [
        table({
            caption: "Comparison with an earlier period", rows, sort: null,
            columns: [
                { label: "Metric", value: (one) => one.label },
                { label: "This period", value: () => 0, cell: (one) => one.now },
                { label: "Earlier", value: () => 0, cell: (one) => one.then },
                { label: "Difference", value: () => 0, cell: (one) => one.change },
            ],
        }),
        open > 0.01 ? h("p", { class: "muted small" },
            `${percent(open)} of this period’s deliveries have no response yet and can still get one, so its rates still grow.`) : null,
    ];
}

function rateText(row, rate) {
    if (isMissing(row[rate])) return "–";
    const interval = range(row[`${rate}_low`], row[`${rate}_high`]);
    return [h("strong", {}, percent(row[rate])), " ", h("span", { class: "interval" }, interval)];
}

function countChange(now, before) {
    return before > 0 ? relative(now / before - 1) : "–";
}

/** The difference of two rates with its interval, from the intervals of both (Newcombe's method). */
function rateChange(row, before, rate) {
    const [p, q] = [row[rate], before[rate]];
    if (isMissing(p) || isMissing(q)) return "–";
    const low = p - q - Math.hypot(p - row[`${rate}_low`], before[`${rate}_high`] - q);
    const high = p - q + Math.hypot(row[`${rate}_high`] - p, q - before[`${rate}_low`]);
    const isClear = low > 0 || high < 0;
    return [
        isClear ? `${points(p - q)} points` : `no clear change (${points(p - q)})`, " ",
        h("span", { class: "interval" }, pointsRange(low, high)),
    ];
}
