// The rates of the report `conversion` by day or hour, as lines.

import { axis, figure, lineStyle, tooltip } from "./charts.js";
import { h } from "./dom.js";
import { dateOf, dayOf, hourOf, percent, time } from "./format.js";
import { isMostlyOpen } from "./open.js";
import { keyOf, stepsOf } from "./steps.js";
import { table } from "./table.js";

const rates = [
    ["conversion_rate", "Converted", "accent"], ["action_rate", "Acted", "teal"], ["open_rate", "Opened", "violet"],
    ["dismiss_rate", "Dismissed", "orange"],
];

/** The chart, or null unless the report has one row per day or hour. */
export function groupedRates(result, address) {
    const step = result.parameters.by;
    if (step !== "day" && step !== "hour") return null;
    const rows = new Map(result.rows.map((row) => [keyOf(row[step], step, address.zone), row]));
    const steps = stepsOf({ ...address.period, step }, address.zone, rows.keys());
    const values = steps.map(({ key }) => rows.get(key));
    const shown = rates.filter(([rate]) => values.some((row) => row?.[rate] !== null && row?.[rate] !== undefined));
    if (shown.length === 0 || steps.length < 2) return null;
    const open = steps.map(({ isOpen }, index) => isOpen || Boolean(values[index] && isMostlyOpen(values[index])));
    return figure({
        label: `Rates over time, ${steps.length} ${step}s. The table below has the numbers.`,
        before: h("p", { class: "chart-legend" }, shown.map(([, title, color]) => h(
            "span", {}, h("span", { class: `dot ${color}`, "aria-hidden": "true" }), title,
        ))),
        configure: (colors) => ({
            type: "line",
            data: {
                labels: steps.map(({ time }) => (step === "hour" ? hourOf(time) : dayOf(time))),
                datasets: shown.map(([rate, label, color]) => ({
                    label, data: values.map((row) => row?.[rate] ?? null), borderColor: colors[color],
                    backgroundColor: colors[color], ...lineStyle(open),
                })),
            },
            options: {
                scales: {
                    x: axis(colors, { grid: { display: false } }),
                    y: axis(colors, { beginAtZero: true, ticks: { maxTicksLimit: 6, callback: (value) => percent(value) } }),
                },
                plugins: {
                    tooltip: tooltip(colors, {
                        callbacks: { label: ({ dataset, parsed }) => `${dataset.label}: ${percent(parsed.y)}` },
                    }),
                },
            },
        }),
        table: table({
            caption: "Rates over time", sort: { index: 0, descending: false },
            rows: steps.map(({ time }, index) => ({ time, of: values[index] })),
            columns: [
                {
                    label: step === "hour" ? "Hour" : "Day", value: (row) => row.time,
                    cell: (row) => (step === "hour" ? time(row.time) : dateOf(row.time)),
                },
                ...shown.map(([rate, label]) => ({
                    label, numeric: true, value: ({ of }) => of?.[rate], cell: ({ of }) => percent(of?.[rate]),
                })),
            ],
        }),
    });
}
