// Charts by Chart.js, a script of its own. Without it, and for those who can't see it, there is a table.

import { h } from "./dom.js";

let library = null;

/** Chart.js, or null if it is not there. Ask early: it loads beside the data. */
export function loadCharts() {
    library ??= new Promise((resolve) => {
        const done = () => resolve(globalThis.Chart ?? null);
        const script = h("script", { src: "/assets/chart.js", on: { load: done, error: done } });
        document.head.append(script);
    });
    return library;
}

/** Those on the page, so that a change of theme draws them anew. */
const drawn = new Map();

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
        plot.replaceWith(h("p", { class: "muted" }, "Charts need Chart.js, which this collector does not have."));
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
        drawn.get(canvas)?.chart.destroy();
        drawn.set(canvas, { redraw, chart: new Chart(canvas, common(configure(palette()), palette())) });
    };
    redraw();
    return true;
}

/** Draws a figure's chart anew, with what its `configure` says now. */
export function redraw(figure) {
    drawn.get(figure.querySelector("canvas"))?.redraw();
}

/** The canvas is in the page in the next frame at the latest; a chart measures its place there. */
function connected(canvas) {
    return canvas.isConnected ? null : new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Ends the charts that have left the page. */
export function sweep() {
    for (const [canvas, { chart }] of drawn) {
        if (canvas.isConnected) continue;
        chart.destroy();
        drawn.delete(canvas);
    }
}

document.addEventListener("themechange", () => {
    sweep();
    for (const { redraw } of drawn.values()) redraw();
});

/** What all charts have. */
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

/** An axis in the colours of the page. */
export function axis(colors, more = {}) {
    const { ticks = {}, ...rest } = more;
    return {
        grid: { color: colors.line, drawBorder: false, drawTicks: false },
        ticks: { color: colors.muted, padding: 6, maxRotation: 0, autoSkipPadding: 16, ...ticks },
        ...rest,
    };
}

/** The page's colours as they are now: a canvas can't read style sheets. */
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
