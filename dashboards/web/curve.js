// Response times: quantiles in a sentence, and a curve of the share without a response over time.

import { axis, figure } from "./charts.js";
import { h } from "./dom.js";
import { count, duration, isMissing, percent, wholePercent } from "./format.js";
import { emptyState } from "./panel.js";
import { numberColumn, table } from "./table.js";

/** Makes the nodes from two results of `response-time`: its quantiles, and its rows with curve=true. */
export function responseTime(quantiles, curve) {
    const [row] = quantiles.rows;
    if (!row?.responded || curve.rows.length === 0) {
        return emptyState("No responses with a known time in this selection.");
    }
    return [h("p", { class: "sentence" }, sentence(row)), survivalCurve(curve)];
}

/** The chart of the rows of `response-time` with curve=true. */
export function survivalCurve({ rows }) {
    return figure({
        label: `Share of deliveries without a response over time, down to ${percent(rows.at(-1).survival)}.`,
        configure: (colors) => configuration(rows, colors),
        table: numbers(rows),
    });
}

function sentence({ responded, p50_seconds: half, p90_seconds: most, p99_seconds: nearlyAll }) {
    if (isMissing(half)) return `${count(responded)} responded, but their response times are unknown.`;
    const text = `${count(responded)} responded: half of them within ${duration(half)}, `
        + `${wholePercent(0.9)} within ${duration(most)}, ${wholePercent(0.99)} within ${duration(nearlyAll)}`;
    return text.endsWith(".") ? text : `${text}.`; // some languages end a unit with a dot
}

/** A logarithmic time axis gives the first minute as much room as the last day. */
function configuration(rows, colors) {
    const points = rows.filter((row) => row.seconds > 0).map((row) => ({ x: row.seconds, y: row.survival }));
    const first = points[0]?.x ?? 1;
    return {
        type: "line",
        data: {
            datasets: [{
                label: "No response yet", data: [{ x: Math.max(1, first / 2), y: 1 }, ...points], stepped: "after",
                borderColor: colors.accent, borderWidth: 2, pointRadius: 0, pointStyle: "circle",
            }],
        },
        options: {
            interaction: { mode: "nearest", axis: "x", intersect: false },
            scales: {
                x: axis(colors, {
                    type: "logarithmic",
                    title: {
                        display: true, color: colors.muted,
                        text: rows[0]?.clock === "sent" ? "Time since the send" : "Time since the confirmation",
                    },
                    afterBuildTicks: (scale) => { scale.ticks = ticks(scale.min, scale.max); },
                    ticks: { callback: (value) => duration(value), autoSkip: true },
                }),
                y: axis(
                    colors,
                    {
                        min: 0, max: 1,
                        title: { display: true, text: "No response yet", color: colors.muted },
                        ticks: { callback: (value) => wholePercent(value), maxTicksLimit: 6 },
                    },
                ),
            },
            plugins: {
                tooltip: {
                    backgroundColor: colors.text, titleColor: colors.card, bodyColor: colors.card, padding: 10,
                    callbacks: {
                        title: ([item]) => `After ${duration(item.parsed.x)}`,
                        label: (item) => `${percent(item.parsed.y)} have not responded`,
                    },
                },
            },
        },
    };
}

/** Ticks at round times. */
function ticks(low, high) {
    const round = [1, 10, 60, 600, 3600, 6 * 3600, 86400, 3 * 86400, 7 * 86400, 30 * 86400];
    return round.filter((value) => value >= low && value <= high).map((value) => ({ value }));
}

function numbers(rows) {
    return table({
        caption: "Share without a response over time", rows, sort: { index: 0, descending: false },
        columns: [
            { label: "After", value: (row) => row.seconds, cell: (row) => duration(row.seconds) },
            numberColumn("Observed", "at_risk", count),
            numberColumn("Responded", "responded", count),
            numberColumn("No response yet", "survival", percent),
        ],
    });
}
