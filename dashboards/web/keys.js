// The panel of the app's keys. A new key is shown once; revoking one asks once.

import { keys, send } from "./api.js";
import { announce, h } from "./dom.js";
import { confirmThen, field, openDialog, openForm, select } from "./form.js";
import { time } from "./format.js";
import { emptyState, panel } from "./panel.js";
import { refresh } from "./route.js";
import { table } from "./table.js";

const scopes = {
    ingest: "ingest: apps and web pages post events", send: "send: your server posts sends and results",
    read: "read: people and programs read reports",
};

/** The panel. `about` is the promise of the session. */
export function keysPanel(about) {
    return panel({
        title: "Keys", id: "keys",
        load: async () => ((await about).scope === "manage" ? keys() : null),
        render: (list) => (list ? [keyTable(list), buttons()] : emptyState("Only a session with a manage key sees the keys.")),
    });
}

function buttons() {
    return h("div", { class: "buttons-row" }, h("button", { type: "button", class: "primary", on: { click: create } }, "New key"));
}

function keyTable(list) {
    return table({
        caption: "Keys of the app", rows: list, sort: { index: 0, descending: false },
        columns: [
            {
                label: "Number", value: (key) => key.id,
                cell: (key) => [h("span", { class: "key-number" }, String(key.id)), key.revoked_at ? null : h(
                    "button", {
                        type: "button", class: "small-button", "aria-label": `Revoke key ${key.id}`,
                        on: { click: () => revoke(key) },
                    }, "Revoke",
                )],
            },
            { label: "Scope", value: (key) => key.scope },
            { label: "Ends in", value: (key) => key.ends_in, cell: (key) => h("code", {}, `…${key.ends_in}`) },
            { label: "Created", value: (key) => key.created_at, cell: (key) => time(key.created_at) },
            {
                label: "State", value: (key) => key.revoked_at ?? "",
                cell: (key) => (key.revoked_at ? `revoked ${time(key.revoked_at)}` : "valid"),
            },
        ],
    });
}

function create() {
    const scope = select(Object.entries(scopes), "ingest");
    openForm({
        title: "New key", action: "Create",
        content: h("div", { class: "form-fields" }, field("Scope", scope),
            h("p", { class: "muted small" }, "A manage key is made on the command line: ",
                h("code", {}, "afterpush keys create --scope manage"))),
        save: () => send("POST", "/v1/keys", { scope: scope.value }),
        done: show,
    });
}

/** Shows a new key, once: when the dialog closes, the page no longer has it. */
function show(created) {
    const text = h("input", { type: "text", class: "new-key", readonly: true, value: created.key, "aria-label": "The new key" });
    const copy = h("button", {
        type: "button", on: {
            click: async () => {
                try {
                    await navigator.clipboard.writeText(created.key);
                    copy.textContent = "Copied";
                } catch {
                    text.select();
                    copy.textContent = "Selected: copy with the keyboard";
                }
            },
        },
    }, "Copy");
    const close = h("button", { type: "button", class: "primary", on: { click: () => dialog.close() } }, "Done");
    const dialog = openDialog(
        h("h2", { id: "dialog-title" }, `Key ${created.id} (${created.scope})`),
        h("p", {}, "Keep it now: it is shown only here, and only once. Afterpush stores no more than its hash."),
        text, h("div", { class: "dialog-buttons" }, copy, close),
    );
    dialog.addEventListener("close", refresh);
    text.select();
}

function revoke(key) {
    confirmThen({
        title: `Revoke key ${key.id}?`, action: "Revoke",
        text: `Everything that uses the ${key.scope} key …${key.ends_in} is refused from now on, and sessions that were `
            + "started with it end. This can’t be undone.",
        save: () => send("DELETE", `/v1/keys/${key.id}`),
        done: () => {
            announce(`Key ${key.id} is revoked.`);
            refresh();
        },
    });
}
