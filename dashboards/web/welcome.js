// What the overview shows before the first event: commands that post one, and a page that notices it.

import { report, session } from "./api.js";
import { h } from "./dom.js";
import { href, refresh } from "./route.js";

const pollMilliseconds = 4000;

/** The steps to a first event. The page is shown again once there is one. */
export function welcome(signal) {
    const place = h("div", { class: "content" });
    session().catch(() => ({ app: "NAME" })).then(({ app }) => place.replaceChildren(...commands(app)));
    waitForEvents(signal);
    return h(
        "div", { class: "panel welcome" },
        h("h2", {}, "No events yet"),
        h("p", {}, "Paste this into a shell on the collector’s machine. It creates a key and posts a notification that was sent "
            + "and opened. This page shows it within a few seconds."),
        place,
        h("p", { class: "muted" }, h("a", { href: href("/live") }, "Live"), " shows events as they arrive, and ",
            h("a", { href: href("/health") }, "Health"), " what was rejected, and why."),
    );
}

function commands(app) {
    const text = [
        `KEY=$(afterpush keys create --app ${quoted(app)} --scope send)`,
        `curl ${location.origin}/v1/events -H "Authorization: Bearer $KEY" \\`,
        `  -H 'Content-Type: application/json' -d '[${event("sent", 5)},`,
        `    ${event("opened", 0)}]'`,
    ].join("\n");
    const copy = h("button", { type: "button", on: { click: () => copyText(text, copy, code) } }, "Copy");
    const code = h("code", {}, text);
    return [h("pre", { tabindex: "0" }, code), h("div", { class: "buttons-row" }, copy)];
}

function event(kind, secondsAgo) {
    const time = new Date(Date.now() - secondsAgo * 1000).toISOString();
    return JSON.stringify({
        event_id: identifier(), kind, notification_id: "first", device_id: "my-phone", campaign_id: "hello",
        platform: "ios", occurred_at: time,
    });
}

/** A random UUID. `crypto.randomUUID` is missing on pages that were not loaded over TLS. */
function identifier() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
}

/** A text as one word of a shell. */
function quoted(text) {
    return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

async function copyText(text, button, code) {
    try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
    } catch {
        getSelection().selectAllChildren(code);
        button.textContent = "Selected: copy with the keyboard";
    }
}

/** Shows the page again once the app has an event. */
function waitForEvents(signal) {
    const look = async () => {
        if (signal.aborted) return;
        const found = document.hidden ? null : await report("overview", {}, signal).catch(() => null);
        if (signal.aborted) return;
        if (found?.rows.some(({ metric, value }) => ["sent", "delivered"].includes(metric) && value > 0)) refresh();
        else setTimeout(look, pollMilliseconds);
    };
    setTimeout(look, pollMilliseconds);
}
