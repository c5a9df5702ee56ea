// Charts made with Chart.js. Each comes with a table, for screen readers and for when Chart.js is not installed.

import { h } from "./dom.js";

let library = null;

/** Loads Chart.js, or null if it is not installed. Call it early, so that it loads alongside the data. */
export function loadCharts() {
    library ??= new Promise((resolve) => {
        const done = () => resolve(globalThis.Chart ?? null);
        const script = h("script", { src: "/assets/chart.js", on: { load: done, error: done } });
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
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const { options = {}, ...rest } = configuration;
    return {
        ...rest,
        options: {
            responsive: true, maintainAspectRatio: false, animation: isStill ? false : { duration: 200 },
            interaction: { mode: "index", intersect: false }, color: colors.text,
            ...options,
            plugins: { legend: { display: false }, tooltip: tooltip(colors), ...options.plugins },
        },
    };
}

function tooltip(colors) {
    return {
        backgroundColor: colors.text, titleColor: colors.card, bodyColor: colors.card, padding: 10,
        boxPadding: 4, usePointStyle: true,
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
    probe.remove();
    return colors;
}
