// Maps addresses to pages, and makes addresses for links. Filters are in the query, so that an address can be shared.

import { isPeriod, isZone, periodOf, zoneOf } from "./period.js";

const patterns = [
    ["overview", /^\/$/],
    ["campaign", /^\/campaigns\/([^/]+)$/],
    ["category", /^\/categories\/([^/]+)$/],
    ["live", /^\/live\/?$/],
    ["reports", /^\/reports\/?$/],
    ["report", /^\/reports\/([^/]+)$/],
    ["alerts", /^\/alerts\/?$/],
    ["health", /^\/health\/?$/],
    ["inspect", /^\/inspect\/?$/],
    ["declare", /^\/declare\/?$/],
];

/** The filters that stay when the reader opens another page. */
const common = ["period", "from", "to", "tz", "platform", "verified"];

/** The filters of reports besides the period and the zone. */
export const narrowing = ["campaign", "category", "variant", "platform", "app_version", "verified"];

/** Parses an address: the page, the id it is about, and its filters as report parameters. */
export function readAddress(address = location) {
    const query = new URLSearchParams(address.search);
    const [page, id] = pageOf(address.pathname);
    const zone = zoneOf(query);
    const period = periodOf(query, zone);
    const text = (name) => query.get(name) ?? "";
    const parameters = {
        from: period.from, to: period.to, tz: zone,
        campaign: text("campaign"), category: text("category"), variant: text("variant"), platform: text("platform"),
        // Only some reports can be filtered by it, and no other page.
        app_version: page === "report" ? text("app_version") : "",
        verified: query.get("verified") === "true",
    };
    return { page, id, query, zone, period, parameters };
}

function pageOf(path) {
    for (const [page, pattern] of patterns) {
        const match = pattern.exec(path);
        if (!match) continue;
        const id = decode(match[1]);
        return id === null ? ["notFound", null] : [page, id];
    }
    return ["notFound", null];
}

function decode(text) {
    try {
        return text === undefined ? "" : decodeURIComponent(text);
    } catch {
        return null;
    }
}

/** The address of another page with the current filters; `more` adds parameters. */
export function href(path, query = new URLSearchParams(location.search), more = {}) {
    const next = new URLSearchParams();
    for (const name of common) if (query.get(name)) next.set(name, query.get(name));
    for (const [name, value] of Object.entries(more)) next.set(name, value);
    return join(path, next);
}

export function campaignHref(id) {
    return href(`/campaigns/${encodeURIComponent(id)}`);
}

export function categoryHref(id) {
    return href(`/categories/${encodeURIComponent(id)}`);
}

/** The address of a report's page that shows what a request with these parameters returned. */
export function reportHref(name, { from, to, tz, ...parameters }) {
    const { period } = readAddress();
    const times = from === period.from && to === period.to ? {} : from || to ? { from, to } : { period: "all" };
    const query = new URLSearchParams();
    const here = new URLSearchParams(location.search);
    const kept = Object.keys(times).length === 0 ? ["period", "from", "to", "tz"] : ["tz"];
    for (const key of kept) if (here.get(key)) query.set(key, here.get(key));
    for (const [key, value] of Object.entries({ ...times, ...parameters })) if (value) query.set(key, value);
    return join(`/reports/${encodeURIComponent(name)}`, query);
}

/** The address of this page with other filters; an empty value removes one. */
export function withFilters(changes) {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(changes)) {
        if (value) query.set(name, value);
        else query.delete(name);
    }
    return join(location.pathname, query);
}

function join(path, query) {
    const text = query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");
    return text ? `${path}?${text}` : path;
}

/** Navigates without reloading the page. */
export function go(address, { replace = false } = {}) {
    history[replace ? "replaceState" : "pushState"](null, "", address);
    dispatchEvent(new Event("routechange"));
}

/** Renders the current page again with fresh data. */
export function refresh() {
    dispatchEvent(new Event("refresh"));
}

/** Calls `show` with the current address, and whenever the address changes. */
export function follow(show) {
    let shown = null;
    const update = () => {
        leaveUnknown();
        const address = location.pathname + location.search;
        if (address === shown) return; // only the fragment changed
        shown = address;
        show(readAddress());
    };
    addEventListener("popstate", update);
    addEventListener("routechange", update);
    addEventListener("refresh", () => {
        shown = null;
        update();
    });
    document.addEventListener("click", (event) => {
        const link = event.target.closest?.("a[href]");
        if (!link || !isInternal(link, event)) return;
        event.preventDefault();
        go(link.href);
    });
    update();
}

/**
 * Removes a period or a time zone that this page does not know from the address, and says so with the event "unknown",
 * whose detail has them as `{ period, tz }`.
 */
function leaveUnknown() {
    const query = new URLSearchParams(location.search);
    const unknown = {};
    for (const [name, isKnown] of [["period", isPeriod], ["tz", isZone]]) {
        if (query.get(name) && !isKnown(query.get(name))) unknown[name] = query.get(name);
    }
    const names = Object.keys(unknown);
    if (names.length === 0) return;
    history.replaceState(null, "", withFilters(Object.fromEntries(names.map((name) => [name, ""]))));
    dispatchEvent(new CustomEvent("unknown", { detail: unknown }));
}

function isInternal(link, event) {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain || event.defaultPrevented || link.target || link.hasAttribute("download")) return false;
    if (link.origin !== location.origin || link.getAttribute("href").startsWith("#")) return false;
    return pageOf(link.pathname)[0] !== "notFound";
}
