// A part of a page that loads its own data, and shows its progress, its content, an empty state or an error.

import { h, hidden } from "./dom.js";
import { none } from "./format.js";
import { panelMenu } from "./panelmenu.js";

/**
 * A section. `load` returns a promise of the data, and `render` turns the data into nodes or `emptyState(...)`.
 * `about` is shown beside the title.
 */
export function panel({ title, id, about = null, size = "", load, render }) {
    const content = h("div", { class: "content" });
    const [options, describe] = panelMenu(title, id);
    const section = h(
        "section", { class: `panel ${size}`.trim(), "aria-labelledby": id },
        h("div", { class: "panel-head" }, h("h2", { id }, title), about, options),
        content,
    );

    const key = `${title} ${id}`;

    async function run() {
        section.setAttribute("aria-busy", "true");
        const before = keptContent(key);
        section.classList.toggle("kept", before !== null);
        content.replaceChildren(...(before ?? [skeleton(title)]));
        try {
            const data = await load();
            const nodes = [await render(data)].flat(Infinity).filter(Boolean);
            content.replaceChildren(...nodes);
            keep(key, nodes);
            describe(data);
            if (location.hash === `#${id}`) section.scrollIntoView();
        } catch (error) {
            if (error.name === "AbortError") return;
            if (error.code === "share_forbidden") return section.remove(); // not part of the view that a link shares
            // Without a response, the notice above the page says so once, and what was loaded before stays.
            if (error.status !== 0) content.replaceChildren(failure(error, run));
            else if (before === null) content.replaceChildren(notLoaded());
        }
        section.classList.remove("kept");
        section.removeAttribute("aria-busy");
        section.dispatchEvent(new Event("loaded", { bubbles: true }));
    }

    run();
    return section;
}

/** What the panels of the current address showed last, so that it stays while they load again. */
const kept = new Map();
let keptAddress = null;

function keep(key, nodes) {
    if (keptAddress !== addressOfPage()) kept.clear();
    keptAddress = addressOfPage();
    kept.set(key, nodes);
}

function keptContent(key) {
    return keptAddress === addressOfPage() ? kept.get(key) ?? null : null;
}

/** The address without what only chooses a chart. */
function addressOfPage() {
    const query = new URLSearchParams(location.search);
    query.delete("metric");
    return `${location.pathname}?${query}`;
}

function notLoaded() {
    return h("p", { class: "muted" }, h("span", { "aria-hidden": "true" }, none), hidden("Not loaded"));
}

/** Shares one request among several panels. After a failure, the next call sends a new request. */
export function shared(load) {
    let promise = null;
    return () => {
        promise ??= load().catch((error) => {
            promise = null;
            throw error;
        });
        return promise;
    };
}

function skeleton(title) {
    return h(
        "div", { class: "skeleton" },
        hidden(`Loading ${title}`),
        [0, 1, 2].map(() => h("span", { class: "bone", "aria-hidden": "true" })),
    );
}

/** Says that there is no data, and what to do about it. */
export function emptyState(text, ...more) {
    return h("div", { class: "empty" }, h("p", {}, text), more);
}

/** Says what failed and what to do, with a button to try again. */
function failure(error, retry) {
    const { title, advice } = explain(error);
    return h(
        "div", { class: "failure", role: "status" },
        h("p", {}, h("strong", {}, title)),
        h("p", {}, advice),
        retry ? h("button", { type: "button", on: { click: retry } }, "Try again") : null,
    );
}

function explain(error) {
    if (error.code === "parameter_invalid") {
        return { title: "Invalid filter", advice: `${sentence(error.message)} Change the filters.` };
    }
    if (error.status === 403) {
        return { title: "Access denied", advice: sentence(error.message) };
    }
    if (error.status === 404) {
        return { title: "Not found", advice: sentence(error.message) };
    }
    if (error.status === 429 || error.status === 503) {
        return { title: "Afterpush is busy", advice: `${sentence(error.message)} Try again in a moment.` };
    }
    if (error.status === 504) {
        return { title: "The report took too long", advice: `${sentence(error.message)} Choose a shorter period.` };
    }
    if (error.status === undefined) {
        console.error(error);
        return { title: "This page has a bug", advice: "The browser’s console has the details." };
    }
    return { title: "The request failed", advice: sentence(error.message) };
}

function sentence(text) {
    const trimmed = (text ?? "").trim();
    if (trimmed === "") return "";
    const start = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
    return /[.!?]$/.test(start) ? start : `${start}.`;
}
