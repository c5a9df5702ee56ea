// Whether the collector answers, and how long the session lasts, said above the page.

import { session } from "./api.js";
import { h } from "./dom.js";
import { time } from "./format.js";
import { refresh } from "./route.js";

const patience = 3000;

let isAway = false;

/** Watches from now on. A request that got no answer says so by the event "unreachable". */
export function watchConnection() {
    addEventListener("unreachable", wait);
    showSession();
}

/** Asks until there is an answer, then shows the page anew. */
async function wait() {
    if (isAway) return;
    isAway = true;
    say("Afterpush does not answer. Check that it runs, and that you are online. This page tries again by itself.");
    do {
        await new Promise((resolve) => setTimeout(resolve, patience));
    } while (!(await answers()));
    isAway = false;
    hide();
    refresh();
}

async function answers() {
    try {
        await fetch("/livez", { cache: "no-store" });
        return true;
    } catch {
        return false;
    }
}

async function showSession() {
    try {
        const { app, expires_at: end } = await session();
        document.getElementById("app-name").textContent = app;
        const left = Date.parse(end) - Date.now();
        if (left > 0 && left < 2 ** 31) setTimeout(() => sayEnded(end), left);
    } catch {
        // The parts of the page say what is wrong.
    }
}

function sayEnded(end) {
    const next = encodeURIComponent(location.pathname + location.search);
    say(`Your session ended at ${time(end)}. `, h("a", { href: `/login?next=${next}` }, "Log in again"));
}

function say(...words) {
    const notice = document.getElementById("notice");
    notice.replaceChildren(...words);
    notice.hidden = false;
}

function hide() {
    document.getElementById("notice").hidden = true;
}
