// The dialog that creates, lists and revokes links to one view.

import { send, shares } from "./api.js";
import { openDialog } from "./dialog.js";
import { announce, h, name } from "./dom.js";
import { copyText } from "./downloads.js";
import { count, time } from "./format.js";
import { readAddress } from "./route.js";

const day = 86_400;
const lifetimes = [
    [3_600, "in an hour"], [day, "in a day"], [7 * day, "in 7 days"], [30 * day, "in 30 days"], [90 * day, "in 90 days"],
];

/** Opens the dialog for the page that is shown. */
export function openShares() {
    const view = viewAddress();
    const label = h("input", { type: "text", id: "share-name", maxlength: "200", autocomplete: "off" });
    const end = h("select", { id: "share-lifetime" }, lifetimes.map(([seconds, text]) =>
        h("option", { value: seconds, selected: seconds === 7 * day }, text)));
    const outcome = h("div", { class: "stack", role: "status" });
    const list = h("div");
    const form = h(
        "form", { class: "stack", on: { submit: create } },
        h("p", {}, "Anyone with the link sees this page with these filters, without logging in, until it ends. A period such "
            + "as “Last 7 days” moves on. The link shows no other page, no replies and no single events, and it changes "
            + "nothing."),
        h("div", { class: "filter-row" },
            h("label", { class: "field" }, h("span", {}, "What it is for"), label),
            h("label", { class: "field" }, h("span", {}, "Ends"), end),
            h("button", { type: "submit", class: "primary" }, "Create link")),
        outcome,
    );

    async function create(event) {
        event.preventDefault();
        try {
            const share = await send("POST", "/v1/shares", { view, name: label.value.trim(), expires_in: Number(end.value) });
            outcome.replaceChildren(link(location.origin + share.path));
            await show();
        } catch (error) {
            outcome.replaceChildren(h("p", { class: "error" }, sentence(error.message)));
        }
    }

    async function revoke(share) {
        try {
            await send("DELETE", `/v1/shares/${share.id}`);
            announce("Link revoked");
        } catch (error) {
            outcome.replaceChildren(h("p", { class: "error" }, sentence(error.message)));
        }
        await show();
    }

    async function show() {
        const all = await shares();
        list.replaceChildren(
            h("h3", {}, all.length === 0 ? "No links yet" : `Links of this app (${count(all.length)})`),
            h("ul", { class: "share-list" }, all.map((share) => item(share, revoke))),
        );
    }

    openDialog("Share this view", form, list);
    label.focus();
    show().catch((error) => list.replaceChildren(h("p", { class: "error" }, sentence(error.message))));
}

/** The page's address with its time zone: the reader of the link must see the same days. */
function viewAddress() {
    const query = new URLSearchParams(location.search);
    query.set("tz", readAddress().zone);
    return `${location.pathname}?${query}`;
}

function link(address) {
    const field = h("input", { type: "text", readonly: true, value: address, id: "share-link", "aria-label": "Link" });
    const button = h("button", {
        type: "button", on: {
            click: async () => {
                button.textContent = (await copyText(address)) ? "Copied" : "Selected: copy with the keyboard";
                field.select();
            },
        },
    }, "Copy");
    return h("div", {}, h("div", { class: "share-link" }, field, button),
        h("p", { class: "muted small" }, "Copy it now: it can’t be shown again."));
}

function item(share, revoke) {
    const what = share.name || share.view;
    return h(
        "li", {},
        h("div", {}, name(what), h("div", { class: "muted small" },
            share.name ? [name(share.view), " · "] : null, `ends ${time(share.expires_at)}`)),
        h("button", { type: "button", "aria-label": `Revoke ${what}`, on: { click: () => revoke(share) } }, "Revoke"),
    );
}

function sentence(text) {
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
