// A metric day by day or hour by hour: its chart, with the period before, and a small line for a tile.

import { report } from "./api.js";
import { emptySelection } from "./blocks.js";
import { axis, figure, lineStyle, tooltip } from "./charts.js";
import { h } from "./dom.js";
import { count, dateOf, dayOf, hourOf, isMissing, none, percent, range, time, wholePercent } from "./format.js";
import { isMostlyOpen } from "./open.js";
import { addDays } from "./period.js";
import { keyOf, stepsOf } from "./steps.js";
import { table } from "./table.js";

const hour = 3_600_000;

/** The metrics: the title, the column of `conversion`, whether it is a rate, what the chart shows, and what it counts. */
const metrics = {
    sent: { title: "Sent", column: "sent", about: "deliveries sent" },
    delivered: { title: "Delivered", column: "delivered", about: "deliveries that arrived" },
    response_rate: { title: "Responded", column: "response_rate", isRate: true, about: "share with a response" },
    open_rate: { title: "Opened", column: "open_rate", isRate: true, about: "share that was opened" },
    action_rate: { title: "Acted", column: "action_rate", isRate: true, about: "share with an action or a reply" },
    conversion_rate: { title: "Converted", column: "conversion_rate", isRate: true, about: "share that converted" },
    dismiss_rate: { title: "Dismissed", column: "dismiss_rate", isRate: true, about: "share that was dismissed" },
};

/** The metric with this name, or null. */
export function metricNamed(name) {
    return Object.hasOwn(metrics, name) ? { name, ...metrics[name] } : null;
}

/**
 * Loads the metrics of each step of an address's period, and of the period before, by the time at which deliveries were
 * sent: `{ step, steps, current, previous }`, with a row of `conversion` or undefined for each step.
 */
export async function loadSeries(address, parameters, names, signal) {
    const { zone, period } = address;
    const { step } = period;
    // The report says what is wrong with an invalid time.
    const isValid = [period.from, period.to || period.from].every((text) => !Number.isNaN(Date.parse(text)));
    const known = isValid ? stepsOf(period, zone, []) : [];
    const shift = known.length;
    const from = known.length > 0 ? earlier(known[0].key, shift, step) : null;
    const columns = names.map((name) => metrics[name]).flatMap(({ column, isRate }) =>
        isRate ? [column, `${column}_low`, `${column}_high`] : [column]);
    const result = await report("conversion", {
        ...parameters, by: step, columns: [step, "pending", "base_n", ...columns].join(","),
        from: from === null ? parameters.from : step === "hour" ? new Date(from).toISOString() : from,
    }, signal);
    const rows = new Map(result.rows.map((row) => [keyOf(row[step], step, zone), row]));
    const steps = known.length > 0 ? known : stepsOf(period, zone, rows.keys());
    return {
        step, steps, current: steps.map(({ key }) => rows.get(key)),
        previous: shift === 0 ? [] : steps.map(({ key }) => rows.get(earlier(key, shift, step))),
    };
}

function earlier(key, shift, step) {
    return step === "hour" ? key - shift * hour : addDays(key, -shift);
}

/** The value of a row: 0 of nothing, but no rate of nothing. */
function valueOf(row, { column, isRate }) {
    return row?.[column] ?? (isRate ? null : 0);
}

/** The chart of a metric. */
export function metricChart(metric, series) {
    const values = series.current.map((row) => valueOf(row, metric));
    if (values.every((value) => !value)) return emptySelection();
    const before = series.previous.map((row) => valueOf(row, metric));
    const isCompared = before.some((value) => value > 0);
    const span = `${series.steps.length} ${series.step === "hour" ? "hours" : "days"}`;
    return figure({
        label: `${metric.title}, ${metric.about}, over ${span}. The table below has the numbers.`,
        before: legend(metric, isCompared, series),
        configure: (colors) => configuration(metric, series, values, isCompared ? before : null, colors),
        table: numbers(metric, series, isCompared),
    });
}

function legend(metric, isCompared, series) {
    const isDashed = areOpen(metric, series).some(Boolean);
    return h("p", { class: "chart-legend" },
        h("span", {}, h("span", { class: "stroke", "aria-hidden": "true" }), metric.title),
        isCompared ? h("span", {}, h("span", { class: "stroke before", "aria-hidden": "true" }), "Period before") : null,
        metric.isRate
            ? h("span", {}, h("span", { class: "stroke band", "aria-hidden": "true" }), `${wholePercent(0.95)} interval`)
            : null,
        isDashed
            ? h("span", {}, h("span", { class: "stroke dashed", "aria-hidden": "true" }),
                metric.isRate ? "Under way, or can still be answered" : "Under way")
            : null,
        metric.isRate && series.current.some((row) => row && isMissing(row[metric.column]))
            ? h("span", {}, "Gaps: too few deliveries for a rate") : null);
}

/** Whether each step is under way or, for a rate, many of its deliveries can still be answered. */
function areOpen({ isRate }, { steps, current }) {
    return steps.map(({ isOpen }, index) => isOpen || Boolean(isRate && current[index] && isMostlyOpen(current[index])));
}

function configuration(metric, series, values, before, colors) {
    const { step, steps, current } = series;
    const show = metric.isRate ? percent : count;
    const bound = (side) => ({
        label: side, data: current.map((row) => row?.[`${metric.column}_${side}`] ?? null), borderWidth: 0, pointRadius: 0,
        pointHoverRadius: 0, tension: 0, fill: side === "high" ? "+1" : false, backgroundColor: colors.accentWeak,
    });
    const datasets = [
        {
            label: metric.title, data: values, borderColor: colors.accent, backgroundColor: colors.accent,
            ...lineStyle(areOpen(metric, series)),
        },
        before && {
            label: "Period before", data: before, borderColor: colors.grey, backgroundColor: colors.grey,
            ...lineStyle([]), borderWidth: 1,
        },
        ...(metric.isRate ? [bound("high"), bound("low")] : []),
    ].filter(Boolean);
    return {
        type: "line",
        data: { labels: steps.map(({ time }) => (step === "hour" ? hourOf(time) : dayOf(time))), datasets },
        options: {
            scales: {
                x: axis(colors, { grid: { display: false } }),
                y: axis(colors, {
                    beginAtZero: true, suggestedMax: metric.isRate ? 0.01 : 4,
                    ticks: { precision: metric.isRate ? undefined : 0, maxTicksLimit: 6, callback: show },
                }),
            },
            plugins: {
                tooltip: tooltip(colors, {
                    filter: ({ dataset }) => !["low", "high"].includes(dataset.label),
                    callbacks: { label: ({ dataset, parsed }) => `${dataset.label}: ${show(parsed.y)}` },
                }),
            },
        },
    };
}

function numbers(metric, { step, steps, current, previous }, isCompared) {
    const show = (row) => {
        const value = valueOf(row, metric);
        return isMissing(value) ? none : metric.isRate ? percent(value) : count(value);
    };
    const rows = steps.map(({ time, isOpen }, index) => ({
        time, isOpen, row: current[index], before: previous[index],
    }));
    return table({
        caption: `${metric.title} over time`, rows, sort: { index: 0, descending: false },
        columns: [
            {
                label: step === "hour" ? "Hour" : "Day", value: (row) => row.time,
                cell: (row) => [
                    step === "hour" ? time(row.time) : dateOf(row.time),
                    row.isOpen ? h("span", { class: "badge quiet" }, "under way") : null,
                ].filter(Boolean),
            },
            {
                label: metric.title, numeric: true, value: ({ row }) => valueOf(row, metric), cell: ({ row }) => show(row),
            },
            metric.isRate && {
                label: `${wholePercent(0.95)} interval`, numeric: true,
                value: ({ row }) => row?.[`${metric.column}_low`],
                cell: ({ row }) => range(row?.[`${metric.column}_low`], row?.[`${metric.column}_high`]) || none,
            },
            isCompared && {
                label: "Period before", numeric: true, value: ({ before }) => valueOf(before, metric),
                cell: ({ before }) => show(before),
            },
        ].filter(Boolean),
    });
}

const [sparkWidth, sparkHeight] = [120, 28];

/** A small line of a metric for a tile, over that of the period before. Its numbers are in the metric's chart. */
export function sparkline(metric, series) {
    const lines = [series.previous, series.current].map((rows) => rows.map((row) => valueOf(row, metric)));
    const most = Math.max(...lines.flat(), 0) || 1;
    const open = series.steps.findIndex(({ isOpen }) => isOpen);
    const [before, now] = lines;
    return h(
        "svg", {
            class: "spark", viewBox: `0 0 ${sparkWidth} ${sparkHeight}`, preserveAspectRatio: "none", "aria-hidden": "true",
        },
        before.length > 1 ? h("path", { class: "before", d: path(before, most) }) : null,
        h("path", { class: "now", d: path(open > 0 ? now.slice(0, open) : now, most, now.length) }),
        open > 0 ? h("path", { class: "now open", d: path(now.slice(open - 1, open + 1), most, now.length, open - 1) }) : null,
    );
}

/** A path through the values, of which the first is at `start` of `length`. Missing values interrupt it. */
function path(values, most, length = values.length, start = 0) {
    let isDrawing = false;
    return values.map((value, index) => {
        if (isMissing(value)) {
            isDrawing = false;
            return "";
        }
        const x = (sparkWidth * (start + index)) / Math.max(1, length - 1);
        const y = sparkHeight - 1.5 - ((sparkHeight - 3) * value) / most;
        const command = isDrawing ? "L" : "M";
        // A point without neighbours becomes a short line.
        const isAlone = !isDrawing && isMissing(values[index + 1]);
        isDrawing = true;
        return `${command}${x.toFixed(1)} ${y.toFixed(1)}${isAlone ? "h0.1" : ""}`;
    }).join("");
}
