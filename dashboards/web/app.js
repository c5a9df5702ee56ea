// The entry point: shows the page that the address names.

import alerts from "./alerts.js";
import campaign from "./campaign.js";
import category from "./category.js";
import declare from "./declare.js";
import health from "./health.js";
import inspect from "./inspect.js";
import live from "./live.js";
import overview from "./overview.js";
import report from "./report.js";
import reports from "./reports.js";
import { pageHead } from "./blocks.js";
import { destroyDetachedCharts } from "./charts.js";
import { watchConnection } from "./connection.js";
import { sharedView } from "./api.js";
import { announce, h } from "./dom.js";
import { buildFilters, updateFilters } from "./filters.js";
import { time, useZone } from "./format.js";
import { readerZone } from "./period.js";
import { follow, href, readAddress } from "./route.js";
import { revealInOrder } from "./reveal.js";
import { isShared } from "./shared.js";
import { watchKeys } from "./shortcuts.js";
import { hideTip } from "./tips.js";

/** The pages: each has a `title(address)`, the names of its `filters`, and `render(address, signal)`. */
const pages = { overview, campaign, category, live, reports, report, alerts, health, inspect, declare, notFound: notFound() };

const main = document.getElementById("main");
let requests = null;
let shownPath = null;

function show(address) {
    requests?.abort();
    hideTip();
    requests = new AbortController();
    useZone(address.zone);
    const page = pages[address.page];
    const title = page.title(address);
    document.title = `${title} · Afterpush`;
    updateNavigation();
    updateFilters(address, page.filters);
    const hadFocus = main.contains(document.activeElement);
    keepHeight();
    main.replaceChildren(...page.render(address, requests.signal).filter(Boolean));
    revealInOrder(main, document.querySelector("footer"));
    destroyDetachedCharts();
    showZone(address.zone);
    announcePage(title, address);
    if (hadFocus) main.focus({ preventScroll: true }); // the focused element was removed
}

/** Keeps the height of the page until its parts have loaded again, so that the reader's place in it stays. */
function keepHeight() {
    if (shownPath !== location.pathname || !scrollY) return;
    main.style.setProperty("min-height", `${main.offsetHeight}px`);
    setTimeout(() => main.style.removeProperty("min-height"), 2000);
}

/** Announces the page. A new page also gets the focus; when only filters change, the focus stays. */
function announcePage(title, address) {
    if (shownPath !== null && shownPath !== location.pathname) {
        scrollTo(0, 0);
        main.focus({ preventScroll: true });
        announce(title);
    } else if (shownPath !== null) {
        announce(`${title}, ${address.period.title}`);
    }
    shownPath = location.pathname;
}

/** Adds the filters to the navigation links, and marks the link to the current page. */
function updateNavigation() {
    for (const link of document.querySelectorAll("nav a")) {
        const path = new URL(link.href).pathname;
        const isHere = path === "/" ? isOverview() : location.pathname.startsWith(path);
        if (isHere) {
            link.setAttribute("aria-current", "page");
            link.scrollIntoView({ block: "nearest", inline: "nearest" }); // on a phone, the links scroll
        } else link.removeAttribute("aria-current");
        link.href = href(path);
    }
}

function isOverview() {
    return ["overview", "campaign", "category"].includes(readAddress().page);
}

function showZone(zone) {
    const whose = zone === readerZone() ? ", your time zone" : "";
    document.getElementById("zone-note").textContent = `Times and days are in ${zone}${whose}.`;
}

function notFound() {
    return {
        title: () => "Not found", filters: [],
        render: () => [
            pageHead("Page not found"),
            h("p", {}, "There is nothing at the address ", h("code", {}, location.pathname), "."),
            h("p", {}, h("a", { href: href("/") }, "Go to the overview")),
        ],
    };
}

/** Shows the view of a link, whose address is not this page's. */
async function showShared() {
    document.body.classList.add("shared-view");
    try {
        const { app, view, expires_at: end } = await sharedView();
        const address = readAddress(new URL(view, location.origin));
        show(address);
        addEventListener("refresh", () => show(address));
        document.getElementById("shared-note").textContent = `${app} · shared view until ${time(end)}`;
    } catch (error) {
        if (error.status === undefined) throw error;
        document.title = "Link ended · Afterpush";
        const ended = error.status === 401;
        main.replaceChildren(
            h("h1", {}, ended ? "This link has ended" : "This view can’t be shown"),
            h("p", {}, ended ? "It has expired, was revoked, or is incomplete. Ask whoever sent it for a new one."
                : error.message),
        );
        main.hidden = false;
    }
}

watchConnection();
if (isShared) {
    showShared();
} else {
    buildFilters(document.getElementById("filters"));
    watchKeys();
    follow(show);
}
