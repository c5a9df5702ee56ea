// The period of a page: a named period that ends now, or a custom range of days.

export const periods = [
    ["today", "Today"],
    ["yesterday", "Yesterday"],
    ["24h", "Last 24 hours"],
    ["7d", "Last 7 days"],
    ["30d", "Last 30 days"],
    ["month", "This month"],
    ["last-month", "Last month"],
    ["90d", "Last 90 days"],
    ["365d", "Last 12 months"],
    ["all", "All time"],
];

const defaultPeriod = "30d";
const hour = 3_600_000;

/** The reader's time zone, if reports accept its name. */
export function readerZone() {
    const name = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
    return /^[A-Za-z]+(\/[A-Za-z0-9_+-]+){1,2}$/.test(name) ? name : "UTC";
}

export function zoneOf(query) {
    const name = query.get("tz");
    return name && isZone(name) ? name : readerZone();
}

/** Whether the browser knows a time zone of this name. */
export function isZone(name) {
    try {
        return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
    } catch {
        return false;
    }
}

/** Whether there is a named period of this name. */
export function isPeriod(name) {
    return find(name) !== undefined;
}

/**
 * The period of an address: `from` and `to` for reports, a title, and the length of a step in charts.
 * A named period begins at midnight, so that its days are whole, and ends with the current hour, unless it is over.
 */
export function periodOf(query, zone, now = Date.now()) {
    const from = query.get("from") ?? "";
    const to = query.get("to") ?? "";
    if (from || to) return { name: "custom", title: customTitle(from, to), from, to, step: step(from, to) };
    const [name, title] = periods.find(([name]) => name === query.get("period")) ?? find(defaultPeriod);
    if (name === "all") return { name, title, from: "", to: "", step: "day" };
    const end = new Date(Math.floor(now / hour + 1) * hour);
    if (name === "24h") return { name, title, from: iso(new Date(end - 24 * hour)), to: iso(end), step: "hour" };
    const date = today(zone, now);
    const [first, last] = datesOf(name, date);
    const isOneDay = first === date || last === date;
    return { name, title, from: first, to: last ?? iso(end), step: isOneDay ? "hour" : "day" };
}

/** The first date of a named period, and the date after its last one, or null if that is the current one. */
function datesOf(name, date) {
    const month = `${date.slice(0, 8)}01`;
    switch (name) {
    case "today": return [date, null];
    case "yesterday": return [addDays(date, -1), date];
    case "month": return [month, null];
    case "last-month": return [`${addDays(month, -1).slice(0, 8)}01`, month];
    default: return [addDays(date, 1 - Number.parseInt(name, 10)), null];
    }
}

function find(name) {
    return periods.find((period) => period[0] === name);
}

function iso(date) {
    return date.toISOString().replace(".000Z", "Z");
}

/** The date in a zone, `2026-11-21`. */
export function today(zone, now = Date.now()) {
    return new Intl.DateTimeFormat("en-CA", {
        timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit",
    }).format(now);
}

export function addDays(date, days) {
    const moment = new Date(`${date}T00:00:00Z`);
    moment.setUTCDate(moment.getUTCDate() + days);
    return moment.toISOString().slice(0, 10);
}

/** The last days of a period, or the whole period if it is shorter. */
export function lastDays({ from, to }, days, now = Date.now()) {
    const end = to ? Date.parse(to) : Math.floor(now / hour + 1) * hour;
    const start = end - days * 24 * hour;
    if (Number.isNaN(start) || Date.parse(from) >= start) return { from, to };
    return { from: iso(new Date(start)), to };
}

function step(from, to) {
    const length = (to ? Date.parse(to) : Date.now()) - Date.parse(from);
    return length <= 72 * hour ? "hour" : "day";
}

/** The title names the last day, although `to` is exclusive. */
function customTitle(from, to) {
    const show = (text) =>
        new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(text));
    if (Number.isNaN(Date.parse(from || to)) || Number.isNaN(Date.parse(to || from))) return "Custom range";
    const last = /^\d{4}-\d\d-\d\d$/.test(to) ? addDays(to, -1) : to;
    if (!to) return `Since ${show(from)}`;
    if (!from) return `Until ${show(last)}`;
    return from === last ? show(from) : `${show(from)} to ${show(last)}`;
}
