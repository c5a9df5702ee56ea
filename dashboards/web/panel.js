// A part of a page that loads by itself: it says that it loads, what it found, that there is nothing, or what failed.

import { h, hidden } from "./dom.js";

/**
 * A section. `load` gets the data (a promise), `render` makes nodes of it; `render` may return `nothing(...)`.
 * `about` stands beside the title.
 */
export function panel({ title, id, about = null, size = "", load, render }) {
    const content = h("div", { class: "content" });
    const section = h(
        "section", { class: `panel ${size}`.trim(), "aria-labelledby": id },
        h("div", { class: "panel-head" }, h("h2", { id }, title), about),
        content,
    );

    async function run() {
        section.setAttribute("aria-busy", "true");
        content.replaceChildren(skeleton(title));
        try {
            const nodes = await render(await load());
            content.replaceChildren(...[nodes].flat(Infinity).filter(Boolean));
        } catch (error) {
            if (error.name === "AbortError") return;
            content.replaceChildren(failure(error, run));
        }
        section.removeAttribute("aria-busy");
    }

    run();
    return section;
}

/** One request for several panels. After a failure the next one to ask asks anew. */
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
        hidden(`${title} is loading`),
        [0, 1, 2].map(() => h("span", { class: "bone", "aria-hidden": "true" })),
    );
}

/** That there is nothing, and what to do about it. */
export function nothing(text, ...more) {
    return h("div", { class: "nothing" }, h("p", {}, text), more);
}

/** What failed, in words that say what to do, and a button to try again. */
function failure(error, retry) {
    if (error.status === 0) return nothing("No answer yet. This goes on by itself as soon as Afterpush answers.");
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
        return { title: "This can’t be asked so.", advice: `${sentence(error.message)} Change the filters.` };
    }
    if (error.status === 403) {
        return { title: "This key may not see this.", advice: sentence(error.message) };
    }
    if (error.status === 404) {
        return { title: "There is no such thing.", advice: sentence(error.message) };
    }
    if (error.status === 429 || error.status === 503) {
        return { title: "Afterpush is busy.", advice: `${sentence(error.message)} Try again in a moment.` };
    }
    if (error.status === 504) {
        return { title: "This takes too long.", advice: `${sentence(error.message)} Choose a shorter period.` };
    }
    if (error.status === undefined) {
        console.error(error);
        return { title: "The page has a fault.", advice: "The browser’s console tells more." };
    }
    return { title: "That did not work.", advice: sentence(error.message) };
}

function sentence(text) {
    const trimmed = (text ?? "").trim();
    if (trimmed === "") return "";
    const start = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
    return /[.!?]$/.test(start) ? start : `${start}.`;
}
