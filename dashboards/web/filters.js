// The filter bar. A choice changes the address, and the bar shows what the address says.

import { campaigns, categories, session } from "./api.js";
import { h } from "./dom.js";
import { platformName, platforms } from "./format.js";
import { addDays, periods, readerZone } from "./period.js";
import { go, withFilters } from "./route.js";

const period = h("select", { id: "filter-period", on: { change: choosePeriod } });
const from = h("input", { type: "date", id: "filter-from", on: { change: chooseDates } });
const last = h("input", { type: "date", id: "filter-last", on: { change: chooseDates } });
const dates = h("div", { class: "dates" }, field("From", from), field("To, inclusive", last));
const campaign = choice("campaign");
const category = choice("category");
const platform = choice("platform");
const zone = choice("tz");
const verified = h("input", { type: "checkbox", id: "filter-verified", on: { change: chooseVerified } });
const clear = h("button", { type: "button", class: "plain", on: { click: clearAll } }, "Clear filters");
const more = h("details", { class: "more-filters" });
const moreSummary = h("summary", {}, "More filters");

const fields = {
    period: field("Period", period), dates,
    campaign: field("Campaign", campaign), category: field("Category", category),
    platform: field("Platform", platform), tz: field("Time zone", zone),
    verified: h("label", { class: "check" }, verified, h("span", {}, "Verified only")),
};

/** Adds the bar to the page. */
export function buildFilters(place) {
    const { period, dates, ...others } = fields;
    more.append(moreSummary, h("div", { class: "filter-row" }, Object.values(others), clear));
    more.open = matchMedia("(min-width: 60rem)").matches;
    place.append(h("form", { "aria-label": "Filters", on: { submit: (event) => event.preventDefault() } },
        h("div", { class: "filter-row" }, period, dates), more));
}

/** Shows the filters of a page with the values from its address. */
export function updateFilters(address, names) {
    const { query } = address;
    for (const [name, element] of Object.entries(fields)) element.hidden = !names.includes(name);
    document.getElementById("filters").hidden = names.length === 0;
    updatePeriod(address, names);
    fill(platform, [["", "All platforms"], ...platforms.map((id) => [id, platformName(id)])], query.get("platform"));
    fill(campaign, [["", "All campaigns"]], query.get("campaign"));
    fill(category, [["", "All categories"]], query.get("category"));
    fill(zone, zones(null), query.get("tz") ?? "");
    verified.checked = query.get("verified") === "true";
    const active = ["campaign", "category", "platform", "verified"].filter(
        (name) => names.includes(name) && query.get(name),
    );
    clear.hidden = active.length === 0;
    moreSummary.textContent = active.length ? `More filters (${active.length} set)` : "More filters";
    more.hidden = !Object.keys(fields).some((name) => !["period", "dates"].includes(name) && names.includes(name));
    addDeclared(query);
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

/** Adds the declared names once they have loaded. The filters work without them. */
async function addDeclared(query) {
    const [
        declaredCampaigns, declaredCategories, about,
    ] = await Promise.allSettled([campaigns(), categories(), session()]);
    if (query.toString() !== new URLSearchParams(location.search).toString()) return;
    const named = (declaredCampaigns.value ?? []).map(({ id, name }) => [id, name || id]);
    fill(campaign, [["", "All campaigns"], ...named], query.get("campaign"));
    const identified = (declaredCategories.value ?? []).map(({ identifier }) => [identifier, identifier]);
    fill(category, [["", "All categories"], ...identified], query.get("category"));
    fill(zone, zones(about.value?.time_zone), query.get("tz") ?? "");
}

function zones(appZone) {
    const browserZone = readerZone();
    const list = [["", `Your zone: ${browserZone}`]];
    if (appZone && appZone !== browserZone) list.push([appZone, `App’s zone: ${appZone}`]);
    if (browserZone !== "UTC" && appZone !== "UTC") list.push(["UTC", "UTC"]);
    return list;
}

/** Fills a select. A value from the address that is not declared becomes an option too. */
function fill(select, options, value) {
    const chosen = value ?? "";
    const known = options.some(([id]) => id === chosen) ? options : [...options, [chosen, chosen]];
    select.replaceChildren(...known.map(([id, text]) => h("option", { value: id }, text)));
    select.value = chosen;
}

function field(label, control) {
    return h("label", { class: "field" }, h("span", {}, label), control);
}

function choice(name) {
    return h(
        "select", { id: `filter-${name}`, on: { change: (event) => go(withFilters({ [name]: event.target.value })) } },
    );
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

function clearAll() {
    go(withFilters({ campaign: "", category: "", platform: "", verified: "" }));
}
