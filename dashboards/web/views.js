// Saved views: names for addresses, kept in this browser. There are no accounts: whoever logs in with the app's read key
// would see and change the others' views if the collector kept them, and a session changes nothing. A link gives a view to
// somebody else.

import { session } from "./api.js";
import { openDialog } from "./dialog.js";
import { announce, h, name } from "./dom.js";
import { copyText } from "./downloads.js";
import { menu } from "./menu.js";
import { go, readAddress } from "./route.js";
import { openShares } from "./shares.js";

const most = 50;
let app = "";
session().then((about) => { app = about.app; }).catch(() => {});

/** The menu of views, which belongs to the filters. */
export function viewMenu() {
    return menu({ name: "Views", label: "Views", className: "view-menu", items });
}

function items() {
    const saved = read();
    return [
        saved.length ? { heading: "Saved in this browser" } : null,
        ...saved.map(savedView),
        { title: "Save this view…", run: save },
        { heading: "This view" },
        { title: "Copy link", run: copyLink },
        ["overview", "campaign", "category", "report"].includes(readAddress().page)
            ? { title: "Share with a link…", run: openShares } : null,
    ].filter(Boolean);
}

function savedView({ title, address }) {
    const row = h(
        "div", { class: "saved-view" },
        h("a", { href: address }, name(title)),
        h("button", {
            type: "button", "aria-label": `Delete ${title}`, on: {
                click: (event) => {
                    event.stopPropagation();
                    write(read().filter((one) => one.title !== title));
                    const next = row.nextElementSibling?.querySelector("a, button") ?? row.nextElementSibling;
                    row.remove();
                    next?.focus();
                    announce(`${title} deleted`);
                },
            },
        }, "✕"),
    );
    return row;
}

function save() {
    const field = h("input", { type: "text", id: "view-name", required: true, maxlength: "100", autocomplete: "off" });
    const dialog = openDialog("Save this view", h(
        "form", { class: "stack", on: { submit: store } },
        h("p", {}, "The page with its filters, under a name, in this browser. To give it to somebody, copy its link."),
        h("div", { class: "filter-row" },
            h("label", { class: "field" }, h("span", {}, "Name"), field),
            h("button", { type: "submit", class: "primary" }, "Save")),
    ));
    field.value = document.querySelector("h1")?.textContent ?? "";
    field.select();

    function store(event) {
        event.preventDefault();
        const title = field.value.trim();
        if (!title) return;
        const others = read().filter((one) => one.title !== title);
        write([...others, { title, address: location.pathname + location.search }].slice(-most));
        dialog.close();
        announce(`${title} saved`);
    }
}

async function copyLink() {
    if (await copyText(location.href)) announce("Link copied");
    else prompt("Copy this link:", location.href);
}

/** The views of the app. What is in the storage may be old or broken, and leads only to this page's own paths. */
function read() {
    try {
        const list = JSON.parse(localStorage.getItem(`afterpush.views.${app}`)) ?? [];
        return list.filter(({ title, address }) =>
            typeof title === "string" && typeof address === "string" && /^\/(?![/\\])/.test(address));
    } catch {
        return [];
    }
}

function write(list) {
    try {
        localStorage.setItem(`afterpush.views.${app}`, JSON.stringify(list));
    } catch {
        announce("This browser keeps nothing: the view was not saved");
    }
}

/** Opens a saved view by its place, for the keyboard. */
export function openView(index) {
    const view = read()[index];
    if (view) go(view.address);
}
