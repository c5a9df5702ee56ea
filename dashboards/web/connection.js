// Notices above the page: the collector is unreachable, or the session has ended.

import { session } from "./api.js";
import { h } from "./dom.js";
import { isolated, time } from "./format.js";
import { readerZone } from "./period.js";
import { readAddress, refresh } from "./route.js";
import { isShared } from "./shared.js";

const retryMilliseconds = 3000;

let isUnreachable = false;

/** Starts watching, before the first page is shown. A request without a response dispatches the event "unreachable". */
export function watchConnection() {
    addEventListener("unreachable", waitUntilReachable);
    addEventListener("unknown", ({ detail }) => showUnknown(detail));
    if (!isShared) showSession();
}

/** Says that the address had a period or a time zone which this page does not know. */
function showUnknown({ period, tz }) {
    const shown = readAddress().period.title;
    showNotice([
        period ? `There is no period “${isolated(period)}”. The period is “${shown}” instead.` : null,
        tz ? `There is no time zone “${isolated(tz)}”. Times and days are in ${readerZone()} instead.` : null,
    ].filter(Boolean).join(" "));
}

/** Retries until the collector responds, then reloads the page's data. */
async function waitUntilReachable() {
    if (isUnreachable) return;
    isUnreachable = true;
    showNotice(
        "Afterpush is not responding. Check that it is running and that you are online. This page keeps retrying, and "
            + "keeps the numbers that it has.",
    );
    do {
        await new Promise((resolve) => setTimeout(resolve, retryMilliseconds));
    } while (!(await responds()));
    isUnreachable = false;
    hideNotice();
    refresh();
}

async function responds() {
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
        if (left > 0 && left < 2 ** 31) setTimeout(() => showSessionEnd(end), left);
    } catch {
        // The panels of the page show the error.
    }
}

function showSessionEnd(end) {
    const next = encodeURIComponent(location.pathname + location.search);
    showNotice(`Your session ended at ${time(end)}. `, h("a", { href: `/login?next=${next}` }, "Log in again"));
}

function showNotice(...words) {
    const notice = document.getElementById("notice");
    notice.replaceChildren(...words);
    notice.hidden = false;
}

function hideNotice() {
    document.getElementById("notice").hidden = true;
}
