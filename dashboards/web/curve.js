// How long until people respond: quantiles in words, and the share still unanswered over time.

import { axis, figure } from "./charts.js";
import { h } from "./dom.js";
import { count, duration, isMissing, percent, wholePercent } from "./format.js";
import { nothing } from "./panel.js";
import { table } from "./table.js";

/** The nodes for `response-time`, once as quantiles and once with curve=true. */
export function responseTime(quantiles, curve) {
    const [row] = quantiles.rows;
    if (!row?.responded || curve.rows.length === 0) return nothing("No responses here whose time is known.");
    return [
        h("p", { class: "sentence" }, sentence(row)),
        figure({
            label: `Share of deliveries still unanswered over time, down to ${percent(curve.rows.at(-1).survival)}.`,
            configure: (colors) => configuration(curve.rows, colors),
            table: numbers(curve.rows),
        }),
    ];
}

function sentence({ responded, p50_seconds: half, p90_seconds: most, p99_seconds: nearlyAll }) {
    if (isMissing(half)) return `${count(responded)} responded; how long it took is not known.`;
    const text = `Of ${count(responded)} that responded, half did within ${duration(half)}, `
        + `${wholePercent(0.9)} within ${duration(most)}, ${wholePercent(0.99)} within ${duration(nearlyAll)}`;
    return text.endsWith(".") ? text : `${text}.`; // some languages end a unit with a dot
}

/** Times in equal ratios: the first minute matters as much as the last day. */
function configuration(rows, colors) {
    const points = rows.filter((row) => row.seconds > 0).map((row) => ({ x: row.seconds, y: row.survival }));
    const first = points[0]?.x ?? 1;
    return {
        type: "line",
        data: {
            datasets: [{
                label: "Unanswered", data: [{ x: Math.max(1, first / 2), y: 1 }, ...points], stepped: "after",
                borderColor: colors.accent, borderWidth: 2, pointRadius: 0, pointStyle: "circle",
            }],
        },
        options: {
            interaction: { mode: "nearest", axis: "x", intersect: false },
            scales: {
                x: axis(colors, {
                    type: "logarithmic",
                    title: { display: true, text: "Time since delivery", color: colors.muted },
                    afterBuildTicks: (scale) => { scale.ticks = ticks(scale.min, scale.max); },
                    ticks: { callback: (value) => duration(value), autoSkip: true },
                }),
                y: axis(
                    colors,
                    {
                        min: 0, max: 1,
                        title: { display: true, text: "Still unanswered", color: colors.muted },
                        ticks: { callback: (value) => wholePercent(value), maxTicksLimit: 6 },
                    },
                ),
            },
            plugins: {
                tooltip: {
                    backgroundColor: colors.text, titleColor: colors.card, bodyColor: colors.card, padding: 10,
                    callbacks: {
                        title: ([item]) => `After ${duration(item.parsed.x)}`,
                        label: (item) => `${percent(item.parsed.y)} unanswered`,
                    },
                },
            },
        },
    };
}

/** Round times that people think in. */
function ticks(low, high) {
    const round = [1, 10, 60, 600, 3600, 6 * 3600, 86400, 3 * 86400, 7 * 86400, 30 * 86400];
    return round.filter((value) => value >= low && value <= high).map((value) => ({ value }));
}

function numbers(rows) {
    return table({
        caption: "Share still unanswered over time", rows, sort: { index: 0, descending: false },
        columns: [
            { label: "After", value: (row) => row.seconds, cell: (row) => duration(row.seconds) },
            { label: "Observed", numeric: true, value: (row) => row.at_risk, cell: (row) => count(row.at_risk) },
            {
                label: "Responded then", numeric: true,
                value: (row) => row.responded,
                cell: (row) => count(row.responded),
            },
            {
                label: "Still unanswered", numeric: true,
                value: (row) => row.survival,
                cell: (row) => percent(row.survival),
            },
        ],
    });
}
