// The filter bar. A choice changes the address, and the bar shows what the address says.

import { campaigns, report, session } from "./api.js";
import { comparisons } from "./compare.js";
import { h } from "./dom.js";
import { count, platformName } from "./format.js";
import { addDays, periods, readerZone } from "./period.js";
import { go, narrowing, withFilters } from "./route.js";
import { isShared } from "./shared.js";
import { viewMenu } from "./views.js";

const period = h("select", { id: "filter-period", on: { change: choosePeriod } });
const from = h("input", { type: "date", id: "filter-from", on: { change: chooseDates } });
const last = h("input", { type: "date", id: "filter-last", on: { change: chooseDates } });
const dates = h("div", { class: "dates" }, field("From", from), field("To, inclusive", last));
const compare = choice("compare");
const campaign = choice("campaign");
const category = choice("category");
const variant = choice("variant");
const platform = choice("platform");
const appVersion = choice("app_version");
const zone = choice("tz");
const verified = h("input", { type: "checkbox", id: "filter-verified", on: { change: chooseVerified } });
const clear = h("button", { type: "button", class: "plain", on: { click: clearFilters } }, "Clear filters");
const more = h("details", { class: "more-filters" });
const moreSummary = h("summary", {}, "More filters");

const fields = {
    period: field("Period", period), dates, compare: field("Compare", compare),
    campaign: field("Campaign", campaign), category: field("Category", category),
    variant: field("Variant", variant), platform: field("Platform", platform),
    app_version: field("App version", appVersion), tz: field("Time zone", zone),
    verified: h("label", { class: "check" }, verified, h("span", {}, "Verified only")),
};

/** Adds the bar to the page. */
export function buildFilters(place) {
    const { period, dates, compare, ...others } = fields;
    more.append(moreSummary, h("div", { class: "filter-row" }, Object.values(others), clear));
    more.open = matchMedia("(min-width: 60rem)").matches;
    place.append(h("form", { "aria-label": "Filters", on: { submit: (event) => event.preventDefault() } },
        h("div", { class: "filter-row" }, period, dates, compare), more, viewMenu()));
}

/** Moves the focus to the first filter. */
export function focusFilters() {
    period.focus();
}

/** Shows the filters of a page with the values from its address. */
export function updateFilters(address, names) {
    if (isShared) return;
    const { query } = address;
    for (const [name, element] of Object.entries(fields)) element.hidden = !names.includes(name);
    document.getElementById("filters").hidden = names.length === 0;
    updatePeriod(address, names);
    for (const [name, { select, all }] of Object.entries(dimensions)) fill(select, [["", all]], query.get(name));
    fill(compare, comparisons, query.get("compare"));
    showVariant(address, names);
    fillZones(null, address, names);
    verified.checked = query.get("verified") === "true";
    const active = narrowing.filter((name) => names.includes(name) && query.get(name));
    clear.hidden = active.length === 0;
    moreSummary.textContent = active.length ? `More filters (${active.length} set)` : "More filters";
    more.hidden = !Object.keys(fields).some((name) => !["period", "dates", "compare"].includes(name) && names.includes(name));
    addValues(address, names);
}

/** The filters whose values come from the data, with their option for all values. */
const dimensions = {
    campaign: { select: campaign, all: "All campaigns" }, category: { select: category, all: "All categories" },
    variant: { select: variant, all: "All variants" }, platform: { select: platform, all: "All platforms" },
    app_version: { select: appVersion, all: "All app versions" },
};

/** Variants of different campaigns have nothing to do with each other, so the filter needs a campaign. */
function showVariant({ page, query }, names) {
    fields.variant.hidden = !names.includes("variant")
        || page !== "campaign" && !query.get("campaign") && !query.get("variant");
}

function updatePeriod({ period: { name, from: start, to: end } }, names) {
    fill(period, [...periods, ["custom", "Custom range"]], name);
    dates.hidden = name !== "custom" || !names.includes("period");
    from.value = start.slice(0, 10);
    last.value = end ? dayBefore(end) : "";
}

function dayBefore(end) {
    return /^\d{4}-\d\d-\d\d$/.test(end) ? addDays(end, -1) : end.slice(0, 10);
}

/**
 * Adds the values that have data in the period, the most frequent first. The filters work without them. They come after
 * what the page shows, because the collector has more urgent things to do.
 */
async function addValues(address, names) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const isCurrent = () => address.query.toString() === new URLSearchParams(location.search).toString();
    session().then((about) => isCurrent() && fillZones(about.time_zone, address, names)).catch(() => {});
    const declared = await campaigns().catch(() => []);
    const texts = {
        campaign: new Map(declared.map(({ id, name }) => [id, name || id])), platform: { get: platformName },
    };
    for (const [name, { select, all }] of Object.entries(dimensions)) {
        if (!names.includes(name) || fields[name].hidden) continue;
        const found = await valuesOf(name, address).catch(() => []);
        if (!isCurrent()) return;
        const options = found.map(([id, n]) => [id, `${texts[name]?.get(id) ?? id} (${count(n)})`]);
        fill(select, [["", all], ...options], address.query.get(name), texts[name]);
    }
}

const known = new Map();

/** The values of a dimension with the number of their deliveries. Variants are those of the campaign. */
function valuesOf(name, { page, id, parameters: { from, to, tz, campaign } }) {
    const within = name === "variant" ? { campaign: page === "campaign" ? id : campaign } : {};
    const key = JSON.stringify([name, from, to, tz, within]);
    if (!known.has(key)) {
        if (known.size > 50) known.clear();
        const promise = report("conversion", { from, to, tz, by: name, ...within }).then(({ rows }) => rows
            .map((row) => [row[name] ?? row[`${name}_id`], Math.max(row.sent ?? 0, row.delivered ?? 0)])
            .filter(([value, n]) => value !== null && value !== undefined && n > 0)
            .sort((left, right) => right[1] - left[1]));
        known.set(key, promise);
        promise.catch(() => known.delete(key));
    }
    return known.get(key);
}

/** The zones to choose from. With a single one, there is nothing to choose. */
function fillZones(appZone, { query }, names) {
    fill(zone, zones(appZone), query.get("tz") ?? "");
    fields.tz.hidden = !names.includes("tz") || zone.options.length === 1;
}

function zones(appZone) {
    const browserZone = readerZone();
    const list = [["", `Your zone: ${browserZone}`]];
    if (appZone && appZone !== browserZone) list.push([appZone, `App’s zone: ${appZone}`]);
    if (browserZone !== "UTC" && appZone !== "UTC") list.push(["UTC", "UTC"]);
    return list;
}

/** Fills a select. A value from the address that has no data becomes an option too. */
function fill(select, options, value, texts = null) {
    const chosen = value ?? "";
    const all = options.some(([id]) => id === chosen)
        ? options : [...options, [chosen, texts?.get(chosen) ?? (select === platform ? platformName(chosen) : chosen)]];
    select.replaceChildren(...all.map(([id, text]) => h("option", { value: id }, text)));
    select.value = chosen;
}

function field(label, control) {
    return h("label", { class: "field" }, h("span", {}, label), control);
}

function choice(name) {
    return h(
        "select", { id: `filter-${name}`, on: { change: (event) => go(withFilters(changed(name, event.target.value))) } },
    );
}

/** Another campaign has other variants. */
function changed(name, value) {
    return name === "campaign" ? { campaign: value, variant: "" } : { [name]: value };
}

function choosePeriod() {
    if (period.value !== "custom") return go(withFilters({ period: period.value, from: "", to: "" }));
    dates.hidden = false;
    from.focus();
}

function chooseDates() {
    if (from.value && last.value && from.value > last.value) {
        last.setCustomValidity("The end date is before the start date.");
        return void last.reportValidity();
    }
    last.setCustomValidity("");
    if (!from.value && !last.value) return;
    go(withFilters({ period: "", from: from.value, to: last.value ? addDays(last.value, 1) : "" }));
}

function chooseVerified() {
    go(withFilters({ verified: verified.checked ? "true" : "" }));
}

/** Removes all filters but the period and the zone. */
export function clearFilters() {
    go(withFilters(Object.fromEntries(narrowing.map((name) => [name, ""]))));
}
