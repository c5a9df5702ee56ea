// Keyboard shortcuts, and the dialog that lists them.

import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { clearFilters, focusFilters } from "./filters.js";
import { go, href, readAddress, refresh, withFilters } from "./route.js";
import { openShares } from "./shares.js";
import { openView } from "./views.js";

const setting = "afterpush.shortcuts";

const toPeriod = (name) => () => go(withFilters({ period: name, from: "", to: "" }));
const toPage = (path) => () => go(href(path));

/** The shortcuts: keys, one after the other, what they do, and the function. */
const groups = [
    ["Period", [
        ["d", "today", toPeriod("today")], ["y", "yesterday", toPeriod("yesterday")],
        ["h", "last 24 hours", toPeriod("24h")], ["w", "last 7 days", toPeriod("7d")],
        ["t", "last 30 days", toPeriod("30d")], ["m", "this month", toPeriod("month")],
        ["p", "last month", toPeriod("last-month")], ["a", "all time", toPeriod("all")],
    ]],
    ["Filters and views", [
        ["f", "go to the filters", focusFilters], ["x", "clear the filters", clearFilters],
        ["r", "refresh", refresh],
        ["s", "share this view", () => isShareable() && openShares()],
        ["1", "open the first saved view; 2 to 9 the others", () => openView(0)],
    ]],
    ["Pages", [
        ["g o", "overview", toPage("/")], ["g l", "live", toPage("/live")], ["g i", "inspect", toPage("/inspect")],
        ["g r", "reports", toPage("/reports")], ["g a", "alerts", toPage("/alerts")],
        ["g h", "health", toPage("/health")], ["g d", "declare", toPage("/declare")],
    ]],
    ["Help", [["?", "this list", openHelp]]],
];

const actions = new Map(groups.flatMap(([, list]) => list.map(([keys, , run]) => [keys, run])));
for (let place = 1; place < 9; place += 1) actions.set(String(place + 1), () => openView(place));

let first = "";
let timer = null;

function isShareable() {
    return ["overview", "campaign", "category", "report"].includes(readAddress().page);
}

/** Starts to listen. People who dictate or whose hands shake can turn the keys off, in the dialog. */
export function watchKeys() {
    document.addEventListener("keydown", press);
    document.getElementById("shortcuts")?.addEventListener("click", openHelp);
}

function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !areOn()) return;
    if (event.target.closest?.("input, select, textarea, dialog, [contenteditable]")) return;
    const keys = first + event.key.toLowerCase();
    const run = actions.get(keys);
    clearTimeout(timer);
    first = "";
    if (run) {
        event.preventDefault();
        run();
    } else if (event.key === "g") {
        first = "g ";
        timer = setTimeout(() => { first = ""; }, 1500);
    }
}

function areOn() {
    try {
        return localStorage.getItem(setting) !== "off";
    } catch {
        return true;
    }
}

function openHelp() {
    const toggle = h("input", {
        type: "checkbox", id: "shortcuts-on", checked: areOn(), on: {
            change: () => {
                try {
                    localStorage.setItem(setting, toggle.checked ? "on" : "off");
                } catch {
                    // This browser keeps nothing, so the shortcuts stay on.
                }
            },
        },
    });
    openDialog(
        "Keyboard shortcuts",
        h("div", { class: "shortcuts" }, groups.map(([title, list]) => h("section", {},
            h("h3", {}, title),
            h("dl", {}, list.map(([keys, text]) => h("div", {},
                h("dt", {}, keys.split(" ").map((key) => h("kbd", {}, key))), h("dd", {}, text))))))),
        h("label", { class: "check" }, toggle, h("span", {}, "Shortcuts are on")),
    );
}
