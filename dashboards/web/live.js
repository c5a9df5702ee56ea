// The page of arriving events, fed by a stream of one summary a second that reconnects by itself.

import { goToLogin } from "./api.js";
import { groupLink, pageHead, tile, tiles } from "./blocks.js";
import { axis, figure, loadCharts, redraw } from "./charts.js";
import { announce, h, name } from "./dom.js";
import { clock, count, duration, isMissing, none, platformName, words } from "./format.js";
import { campaignHref, categoryHref, href } from "./route.js";
import { connect } from "./stream.js";
import { numberColumn, table } from "./table.js";

const seconds = 60;
const maxEvents = 50;

function render(address, signal) {
    loadCharts();
    const view = { history: [], events: [], isPaused: false, signal };
    view.status = h(
        "p", { class: "live-status waiting" },
        h("span", { class: "pulse", "aria-hidden": "true" }),
        h("span", {}, "Connecting…"),
    );
    view.now = h("div", {}, numbers(null, []));
    view.log = h(
        "tbody", {},
        h("tr", {}, h("td", { colspan: 5, class: "empty-row" }, "Waiting for the first event. ",
            "Those of other systems’ clients that mean nothing here are listed under ",
            h("a", { href: href("/health") }, "Health"), ".")),
    );
    view.chart = chart(view);
    connect("/v1/live", signal, {
        open: () => setStatus(view, "waiting", "Connected. Waiting for data…"),
        summary: (summary) => update(view, summary),
        lost: (wait) => setStatus(view, "lost", `Connection lost. Reconnecting in ${wait} s.`),
        refused: () => ended(view),
    });
    return [
        pageHead("Live", { about: "Events as they arrive; filters don’t apply here", more: view.status }),
        view.now,
        h("section", { class: "panel", "aria-labelledby": "rate" },
            h(
                "div", { class: "panel-head" },
                h("h2", { id: "rate" }, "Events per second"),
                h("span", { class: "muted" }, "the last minute"),
            ), view.chart),
        latestEvents(view),
    ];
}

/** Shows a change of state, and announces it once to screen readers. */
function setStatus(view, state, text) {
    if (view.state === state && state === "open") return;
    view.state = state;
    view.status.className = `live-status ${state}`;
    view.status.lastChild.textContent = text;
    announce(text);
}

/** Goes to the login page if the key was revoked or the session has ended. */
async function ended(view) {
    setStatus(view, "lost", "The collector rejected the live stream.");
    const answer = await fetch("/session").catch(() => null);
    if (answer?.status === 401 && !view.signal.aborted) goToLogin();
}

function update(view, summary) {
    setStatus(view, "open", "Connected");
    view.history = [
        ...view.history,
        {
            time: summary.time, events: summary.accepted, duplicates: summary.duplicates,
            rejected: summary.rejected,
        },
    ].slice(-seconds);
    view.events = [...summary.latest, ...view.events].slice(0, maxEvents);
    if (view.isPaused || document.hidden) return;
    showEvents(view);
    view.now.replaceChildren(numbers(summary, view.history));
    redraw(view.chart);
}

/** Adds the new events on top. The other rows stay untouched, and so does the focus. */
function showEvents(view) {
    if (view.events.length === 0) return;
    view.log.querySelector(".empty-row")?.parentElement.remove();
    view.log.prepend(...view.events.map(line));
    view.events = [];
    while (view.log.children.length > maxEvents) view.log.lastElementChild.remove();
}

function numbers(summary, history) {
    const inMinute = history.reduce((sum, second) => sum + second.events, 0);
    const kinds = Object.entries(summary?.kinds ?? {}).sort(([, a], [, b]) => b - a);
    return tiles([
        tile({
            label: "Last second",
            value: summary ? `${summary.estimated ? "about " : ""}${count(summary.accepted)}` : none,
            lines: [kinds.map(([kind, n]) => `${words(kind)} ${count(n)}`).join(", ")],
        }),
        tile({
            label: "Last minute", value: count(inMinute),
            lines: [history.length < seconds ? "since this page was opened" : null],
        }),
        tile({
            label: "Duplicates", value: summary ? count(summary.duplicates) : none,
            lines: ["already stored, counted once"],
        }),
        tile({ label: "Rejected", value: summary ? count(summary.rejected) : none }),
        tile({ label: "Report lag", value: summary ? duration(summary.rollup_lag_seconds) : none }),
    ]);
}

function chart(view) {
    return figure({
        label: "Events per second over the last minute",
        configure: (colors) => ({
            type: "bar",
            data: {
                labels: labels(view.history),
                datasets: [{
                    label: "Events", data: padded(view.history), backgroundColor: colors.accent, barPercentage: 1,
                    categoryPercentage: 0.85,
                }],
            },
            options: {
                animation: false,
                scales: {
                    x: axis(colors, { grid: { display: false } }),
                    y: axis(
                        colors,
                        { beginAtZero: true, suggestedMax: 4, ticks: { precision: 0, maxTicksLimit: 5 } },
                    ),
                },
            },
        }),
        table: liveTable(view),
    });
}

/** Pads the left side until there is a minute of summaries. */
function padded(history) {
    return [...Array(seconds - history.length).fill(null), ...history.map((second) => second.events)];
}

function labels(history) {
    return [...Array(seconds - history.length).fill(""), ...history.map((second) => clock(second.time))];
}

/** A table that is filled on request, because a table that changes every second is unreadable. */
function liveTable(view) {
    const place = h("div");
    const show = () => place.replaceChildren(table({
        caption: "Events per second", rows: [...view.history].reverse(),
        columns: [
            { label: "Time", value: (row) => row.time, cell: (row) => clock(row.time) },
            numberColumn("Events", "events", count),
            numberColumn("Duplicates", "duplicates", count),
            numberColumn("Rejected", "rejected", count),
        ],
    }));
    return h(
        "div", {},
        h("button", { type: "button", on: { click: show } }, "Show the last minute"),
        place,
    );
}

function latestEvents(view) {
    const pause = h(
        "button", { type: "button", "aria-pressed": "false", on: { click: () => toggle(view, pause) } },
        "Pause",
    );
    const heads = ["Time", "Kind", "Campaign", "Category", "Platform"];
    return h(
        "section", { class: "panel", "aria-labelledby": "latest" },
        h("div", { class: "panel-head" }, h("h2", { id: "latest" }, "Latest events"), pause),
        h("div", { class: "scroller tall", role: "region", "aria-label": "Table: latest events", tabindex: "0" },
            h(
                "table", {},
                h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text)))),
                view.log,
            )),
    );
}

function toggle(view, button) {
    view.isPaused = !view.isPaused;
    button.setAttribute("aria-pressed", String(view.isPaused));
    button.textContent = view.isPaused ? "Resume" : "Pause";
}

function line(event) {
    return h(
        "tr", {},
        h("td", { class: "nowrap" }, h(
            "a", { href: href("/inspect", undefined, { id: event.delivery_id, event: event.event_id }), title: "Inspect" },
            clock(event.occurred_at),
        )),
        h(
            "td", {},
            h("span", { class: `kind-name ${event.kind}` }, words(event.kind)),
            event.action_id ? [" ", name(event.action_id)] : null,
        ),
        h("td", {}, groupLink(event.campaign_id, campaignHref)),
        h("td", {}, groupLink(event.category_id, categoryHref)),
        h("td", {}, isMissing(event.platform) ? none : platformName(event.platform)),
    );
}

export default { title: () => "Live", filters: [], render };
