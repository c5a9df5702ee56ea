// Charts made with Chart.js. Each comes with a table, for screen readers and for when Chart.js is not installed.

import { h } from "./dom.js";
import { isMissing } from "./format.js";

let library = null;

/** Loads Chart.js, or null if it is not installed. Call it early, so that it loads alongside the data. */
export function loadCharts() {
    library ??= new Promise((resolve) => {
        const done = () => resolve(globalThis.Chart ?? null);
        // Beside this module, so that both are of the same version.
        const script = h("script", {
            src: new URL("chart.js", import.meta.url), on: { load: done, error: done },
        });
        document.head.append(script);
    });
    return library;
}

/** The charts on the page, which are redrawn when the theme changes. */
const charts = new Map();

/**
 * A figure: the chart, and its data as a table below. `configure` makes Chart.js's configuration from a palette;
 * `label` says in words what the chart shows.
 */
export function figure({ label, configure, table, before = null, tall = false }) {
    const canvas = h("canvas", { role: "img", "aria-label": label });
    const plot = h("div", { class: tall ? "plot tall" : "plot" }, canvas);
    const data = h("details", { class: "data" }, h("summary", {}, "Data as a table"), table);
    draw(canvas, configure).then((isDrawn) => {
        if (isDrawn) return;
        plot.replaceWith(h("p", { class: "muted" }, "Charts need Chart.js, which is not installed on this collector."));
        data.open = true;
    });
    return h("figure", {}, before, plot, data);
}

async function draw(canvas, configure) {
    const Chart = await loadCharts();
    if (!Chart) return false;
    await connected(canvas);
    Object.assign(Chart.defaults.font, { family: getComputedStyle(document.body).fontFamily, size: 12 });
    const redraw = () => {
        charts.get(canvas)?.chart.destroy();
        charts.set(canvas, { redraw, chart: new Chart(canvas, common(configure(palette()), palette())) });
    };
    redraw();
    return true;
}

/** Redraws a figure's chart with its current configuration. */
export function redraw(figure) {
    charts.get(figure.querySelector("canvas"))?.redraw();
}

/** Waits until the canvas is in the page, where the chart measures its size: that is the next frame at the latest. */
function connected(canvas) {
    return canvas.isConnected ? null : new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Destroys the charts that are no longer on the page. */
export function destroyDetachedCharts() {
    for (const [canvas, { chart }] of charts) {
        if (canvas.isConnected) continue;
        chart.destroy();
        charts.delete(canvas);
    }
}

document.addEventListener("themechange", () => {
    destroyDetachedCharts();
    for (const { redraw } of charts.values()) redraw();
});

/** Adds the options that all charts share. */
function common(configuration, colors) {
    const { options = {}, ...rest } = configuration;
    return {
        ...rest,
        options: {
            responsive: true, maintainAspectRatio: false, animation: false,
            interaction: { mode: "index", intersect: false }, color: colors.text,
            ...options,
            plugins: { legend: { display: false }, tooltip: tooltip(colors), ...options.plugins },
        },
    };
}

/** Options for a chart's tooltip in the page's colours. */
export function tooltip(colors, more = {}) {
    return {
        backgroundColor: colors.text, titleColor: colors.card, bodyColor: colors.card, padding: 10,
        boxPadding: 4, usePointStyle: true, ...more,
    };
}

/**
 * The style of a line: straight between its points, and dashed where it leads to a step that is still open. A point that
 * no line reaches is drawn as a dot.
 */
export function lineStyle(areOpen) {
    const isAlone = ({ dataset, dataIndex: at }) => [at - 1, at + 1].every((index) => isMissing(dataset.data[index]));
    return {
        borderWidth: 2, tension: 0, pointStyle: "circle", pointHoverRadius: 4,
        pointRadius: (context) => (isAlone(context) ? 3 : 0),
        segment: { borderDash: ({ p1DataIndex: at }) => (areOpen[at] ? [4, 4] : undefined) },
    };
}

/** Options for an axis in the page's colours. */
export function axis(colors, more = {}) {
    const { ticks = {}, ...rest } = more;
    return {
        grid: { color: colors.line, drawBorder: false, drawTicks: false },
        ticks: { color: colors.muted, padding: 6, maxRotation: 0, autoSkipPadding: 16, ...ticks },
        ...rest,
    };
}

/** The current colours of the page, because a canvas can't read style sheets. */
function palette() {
    const probe = h("span", { hidden: true });
    document.body.append(probe);
    const color = (name) => {
        probe.style.setProperty("color", `var(--${name})`);
        return getComputedStyle(probe).color;
    };
    const names = [
        "text", "muted", "line", "card", "accent", "blue", "teal", "orange", "rose", "violet", "grey", "green",
    ];
    const colors = Object.fromEntries(names.map((name) => [name, color(name)]));
    colors.accentWeak = color("accent-weak");
    probe.remove();
    return colors;
}
