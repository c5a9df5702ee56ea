// Starts the page, and shows what the address says.

import campaign from "./campaign.js";
import category from "./category.js";
import health from "./health.js";
import live from "./live.js";
import overview from "./overview.js";
import report from "./report.js";
import reports from "./reports.js";
import { sweep } from "./charts.js";
import { watchConnection } from "./connection.js";
import { announce, h } from "./dom.js";
import { buildFilters, updateFilters } from "./filters.js";
import { useZone } from "./format.js";
import { readerZone } from "./period.js";
import { follow, href } from "./route.js";
import { hideTip } from "./tips.js";

/** A page has a `title(address)`, the names of its `filters`, and `render(address, signal)`, which makes nodes. */
const pages = { overview, campaign, category, live, reports, report, health, missing: missing() };

const main = document.getElementById("main");
let leaving = null;
let shownPath = null;

function show(address) {
    leaving?.abort();
    hideTip();
    leaving = new AbortController();
    useZone(address.zone);
    const page = pages[address.page];
    const title = page.title(address);
    document.title = `${title} · Afterpush`;
    markPlace();
    updateFilters(address, page.filters);
    const hadFocus = main.contains(document.activeElement);
    main.replaceChildren(...page.render(address, leaving.signal).filter(Boolean));
    sweep();
    sayZone(address.zone);
    greet(title, address);
    if (hadFocus) main.focus({ preventScroll: true }); // what had it is gone
}

/** A new page takes the focus to its title; new filters leave it where it is. */
function greet(title, address) {
    if (shownPath !== null && shownPath !== location.pathname) {
        scrollTo(0, 0);
        main.focus({ preventScroll: true });
        announce(title);
    } else if (shownPath !== null) {
        announce(`${title}, ${address.period.title}`);
    }
    shownPath = location.pathname;
}

/** The links of the navigation keep the filters, and the one that leads here says so. */
function markPlace() {
    for (const link of document.querySelectorAll("nav a")) {
        const path = new URL(link.href).pathname;
        const isHere = path === "/" ? isOverview(location.pathname) : location.pathname.startsWith(path);
        if (isHere) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
        link.href = href(path);
    }
}

function isOverview(path) {
    return path === "/" || path.startsWith("/campaigns/") || path.startsWith("/categories/");
}

function sayZone(zone) {
    const whose = zone === readerZone() ? ", your time zone" : "";
    document.getElementById("zone-note").textContent = `Times and days are in ${zone}${whose}.`;
}

function missing() {
    return {
        title: () => "Not found", filters: [],
        render: () => [
            h("h1", {}, "There is no such page"),
            h("p", {}, h("a", { href: href("/") }, "Go to the overview")),
        ],
    };
}

buildFilters(document.getElementById("filters"));
watchConnection();
follow(show);
