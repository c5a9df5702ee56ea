// The chart of events over time, with a switch for each line.

import { axis, figure, redraw } from "./charts.js";
import { h } from "./dom.js";
import { count, dateOf, dayOf, hourOf, time } from "./format.js";
import { addDays, today } from "./period.js";
import { emptySelection } from "./blocks.js";
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
export function activity(result, address) {
    if (result.rows.length === 0) return emptySelection();
    const { step } = address.period;
    const rows = step === "hour" ? everyHour(result.rows) : everyDay(result.rows, address.zone);
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

/** Adds rows for hours without events, so that the lines show them as 0. */
function everyHour(rows) {
    const known = new Map(rows.map((row) => [Date.parse(row.time), row]));
    const all = [];
    for (let at = Date.parse(rows[0].time); at <= Date.parse(rows.at(-1).time); at += 3_600_000) {
        all.push(known.get(at) ?? { time: new Date(at).toISOString() });
    }
    return all;
}

function everyDay(rows, zone) {
    const known = new Map(rows.map((row) => [today(zone, Date.parse(row.time)), row]));
    const all = [];
    const end = [...known.keys()].at(-1);
    for (let day = known.keys().next().value; day <= end; day = addDays(day, 1)) {
        all.push(known.get(day) ?? { time: noon(day) });
    }
    return all;
}

/** Noon in UTC, which falls on the same day in most zones. Only the day is shown. */
function noon(day) {
    return `${day}T12:00:00Z`;
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
                backgroundColor: colors[line.color], borderWidth: 2, tension: 0.25, cubicInterpolationMode: "monotone",
                pointStyle: "circle", pointRadius: rows.length < 3 ? 4 : 0, pointHoverRadius: 4,
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
                cell: (row) => (step === "hour" ? time(row.time) : dateOf(row.time)),
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
