// The chart of events over time, with a switch for each line.

import { axis, figure, lineStyle, redraw } from "./charts.js";
import { h } from "./dom.js";
import { count, dateOf, dayOf, hourOf, time } from "./format.js";
import { emptySelection } from "./blocks.js";
import { keyOf, stepsOf } from "./steps.js";
import { table } from "./table.js";

/** The lines: title, the columns of `timeseries` to sum, colour, and whether the line is shown at first. */
const lines = [
    { title: "Sent", kinds: ["sent"], color: "grey", isOn: true },
    { title: "Delivered", kinds: ["delivered"], color: "blue", isOn: true },
    { title: "Opened", kinds: ["opened"], color: "violet", isOn: true },
    { title: "Actions", kinds: ["action"], color: "teal", isOn: true },
    { title: "Replies", kinds: ["text_input"], color: "rose", isOn: false },
    { title: "Dismissed", kinds: ["dismissed"], color: "orange", isOn: true },
    { title: "Converted events", kinds: ["converted"], color: "green", isOn: false },
];

/** Makes the switches, the chart and its table from the rows of `timeseries`. */
export function activity(result, address, step = address.period.step) {
    if (result.rows.length === 0) return emptySelection();
    const known = new Map(result.rows.map((row) => [keyOf(row.time, step, address.zone), row]));
    const rows = stepsOf({ ...address.period, step }, address.zone, known.keys())
        .map(({ key, time, isOpen }) => ({ ...known.get(key), time, isOpen }));
    const series = lines
        .map((line) => ({ ...line, values: rows.map((row) => sum(row, line.kinds)) }))
        .filter((line) => line.values.some((value) => value > 0));
    const span = `${rows.length} ${step === "hour" ? "hours" : "days"}`;
    const chart = figure({
        label: `Events over time, ${span}. The table below has the numbers.`,
        before: switches(series, () => redraw(chart)),
        configure: (colors) => configuration(rows, series.filter((line) => line.isOn), colors, step),
        table: numbers(rows, series, step),
    });
    return chart;
}

function sum(row, kinds) {
    return kinds.reduce((total, kind) => total + (row[kind] ?? 0), 0);
}

function switches(series, onChange) {
    const buttons = series.map((line) => {
        const button = h(
            "button",
            {
                type: "button", class: "switch", "aria-pressed": String(line.isOn),
                on: {
                    click: () => {
                        line.isOn = !line.isOn;
                        button.setAttribute("aria-pressed", String(line.isOn));
                        onChange();
                    },
                },
            },
            h("span", { class: `dot ${line.color}`, "aria-hidden": "true" }), line.title,
        );
        return button;
    });
    return h("div", { class: "switches", role: "group", "aria-label": "Chart lines" }, buttons);
}

function configuration(rows, series, colors, step) {
    return {
        type: "line",
        data: {
            labels: rows.map((row) => (step === "hour" ? hourOf(row.time) : dayOf(row.time))),
            datasets: series.map((line) => ({
                label: line.title, data: line.values, borderColor: colors[line.color],
                backgroundColor: colors[line.color], ...lineStyle(rows.map((row) => row.isOpen)),
            })),
        },
        options: {
            scales: {
                x: axis(colors, { grid: { display: false } }),
                y: axis(
                    colors,
                    {
                        beginAtZero: true,
                        ticks: { precision: 0, callback: (value) => count(value), maxTicksLimit: 6 },
                    },
                ),
            },
        },
    };
}

function numbers(rows, series, step) {
    return table({
        caption: "Events over time",
        columns: [
            {
                label: step === "hour" ? "Hour" : "Day", value: (row) => row.time,
                cell: (row) => [
                    step === "hour" ? time(row.time) : dateOf(row.time),
                    row.isOpen ? h("span", { class: "badge quiet" }, "under way") : null,
                ].filter(Boolean),
            },
            ...series.map((line) => ({
                label: line.title, numeric: true, value: (row) => sum(row, line.kinds),
                cell: (row) => count(sum(row, line.kinds)),
            })),
        ],
        rows,
        sort: { index: 0, descending: false },
    });
}
