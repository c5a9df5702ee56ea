// The inspector: an id in, all that is stored about it out. The page to open first if something doesn't arrive.

import { inspect } from "./api.js";
import { groupLink, pageHead } from "./blocks.js";
import { h, name } from "./dom.js";
import { clock, dateOf, isMissing, platformName, time, words } from "./format.js";
import { emptyState, panel } from "./panel.js";
import { campaignHref, categoryHref, go, href, withFilters } from "./route.js";

function render(address, signal) {
    const id = address.query.get("id") ?? "";
    const text = address.query.get("text") === "true";
    const parts = [
        pageHead("Inspect", { about: "One notification, device, event or delivery: what came in, and how it counts." }),
        form(id, text),
    ];
    if (!id) return [...parts, hints()];
    const event = address.query.get("event");
    return [...parts, panel({
        title: "What is known", id: "inspection", size: "bare", load: () => inspect(id, text, signal),
        render: (result) => story(result, event),
    })];
}

function form(id, text) {
    const field = h("input", {
        type: "search", id: "inspect-id", name: "id", value: id, required: true, maxlength: 256, autocomplete: "off",
        spellcheck: "false", placeholder: "n-1, d-1 or a UUID",
    });
    const box = h("input", { type: "checkbox", id: "inspect-text", checked: text });
    const submit = (event) => {
        event.preventDefault();
        const wanted = field.value.trim();
        if (wanted) go(withFilters({ id: wanted, event: "", text: box.checked ? "true" : "" }));
    };
    return h("form", { class: "panel inspect-form", "aria-label": "Inspect an id", on: { submit } },
        h("label", { class: "field" }, h("span", {}, "Id of a notification, device, event or delivery"), field),
        h("label", { class: "check" }, box, h("span", {}, "Show texts that people typed")),
        h("button", { type: "submit", class: "primary" }, "Inspect"));
}

function hints() {
    return h("section", { class: "panel", "aria-labelledby": "inspect-hints" },
        h("div", { class: "panel-head" }, h("h2", { id: "inspect-hints" }, "Where to find an id")),
        h("ul", { class: "plain-list" },
            h("li", {}, "The app or your server knows the ids that it posts: ", h("code", {}, "notification_id"), ", ",
                h("code", {}, "device_id"), " and ", h("code", {}, "event_id"), "."),
            h("li", {}, "Each row of ", h("a", { href: href("/live") }, "Live"), " links to its delivery."),
            h("li", {}, "If nothing arrives at all, ", h("a", { href: href("/reports/rejected") }, "rejected events"),
                " and ", h("a", { href: href("/health") }, "Health"), " say why.")));
}

function story(result, event) {
    const summary = h("div", { class: `verdict ${result.deliveries.length ? "equivalent" : "warn"}`, role: "status" },
        result.summary.map((sentence, index) => h("p", { class: index ? null : "verdict-title" }, localTimes(sentence))));
    return h("div", { class: "stack" }, summary,
        result.deliveries.map((one, index) => delivery(one, index, event)),
        result.more_deliveries
            ? emptyState("There are more deliveries, which are not listed. Inspect one device or event to see the others.")
            : null,
        result.rejected_events.length ? rejections(result.rejected_events) : null);
}

function delivery(one, index, event) {
    const id = `delivery-${index}`;
    const first = one.events[0] ?? {};
    const notification = one.notification_id ?? first.notification_id;
    const device = one.device_id ?? first.device_id;
    return h("section", { class: "panel inspected", "aria-labelledby": id },
        h("div", { class: "panel-head" },
            h("h2", { id }, titleOf(notification, device)),
            h("span", { class: "badges" }, badges(one))),
        facts(one, notification, device),
        one.explanation.length
            ? h("ul", { class: "plain-list" }, one.explanation.map((sentence) => h("li", {}, name(localTimes(sentence))))) : null,
        one.events.length
            ? h("ol", { class: "timeline" }, one.events.map((entry) => line(entry, entry.event_id === event)))
            : emptyState("Its events are gone: their retention has passed, or the device was erased."));
}

function titleOf(notification, device) {
    if (isMissing(device)) return "Delivery of an erased device";
    if (isMissing(notification)) return ["Events of ", name(device), " alone"];
    return ["Delivery of ", name(notification), " to ", name(device)];
}

/** The state in a word each: how it counts, whether it converted, and whether verified events say so. */
function badges(one) {
    const levels = { responded: "good", pending: "quiet", failed: "warn", no_response: "quiet", replaced: "quiet" };
    const badge = (text, level) => h("span", { class: `badge ${level}` }, text);
    if (!one.merged) return [badge("not counted yet", "quiet")];
    return [
        badge(words(one.outcome), levels[one.outcome] ?? "quiet"),
        one.converted ? badge("Converted", "good") : null,
        badge(one.verified ? "Verified" : "Not verified", one.verified ? "good" : "quiet"),
    ];
}

function facts(one, notification, device) {
    const link = (value) => h("a", { href: withFilters({ id: value, event: "" }) }, name(value));
    const entries = [
        ["Notification", isMissing(notification) ? null : link(notification)],
        ["Device", isMissing(device) ? null : link(device)],
        ["Campaign", isMissing(one.campaign_id) ? null : [groupLink(one.campaign_id, campaignHref),
            isMissing(one.variant) ? null : [", variant ", name(one.variant)], source(one.campaign_source)]],
        ["Category", isMissing(one.category_id) ? null : [groupLink(one.category_id, categoryHref),
            isMissing(one.category_version) ? null : `, version ${one.category_version}`, source(one.category_source)]],
        ["Platform", isMissing(one.platform) ? null : [platformName(one.platform), source(one.platform_source)]],
        ["App version", isMissing(one.app_version) ? null : name(one.app_version)],
        ["Anchor", isMissing(one.anchor_at) ? null : time(one.anchor_at)],
        ["Counts as", one.counts_as?.length ? one.counts_as.map(words).join(", ") : null],
        ["Delivery id", h("code", {}, one.delivery_id)],
    ];
    return h("dl", { class: "facts" }, entries.filter(([, value]) => value).map(([label, value]) => [
        h("dt", {}, label), h("dd", {}, value),
    ]));
}

/** Who says it: the lowest of these decides. */
function source(rank) {
    const kinds = ["a send", "the device’s confirmation", "a response"];
    if (isMissing(rank) || rank > 6) return null;
    return h("span", { class: "muted small" }, ` from ${kinds[(rank - 1) % 3]}, ${rank > 3 ? "not verified" : "verified"}`);
}

function line(entry, isWanted) {
    const what = [entry.action_identifier, entry.name].filter(Boolean);
    const { notes, ...content } = entry;
    return h("li", { class: isWanted ? "wanted" : null, "aria-current": isWanted ? "true" : null },
        moment(entry.corrected_at ?? entry.occurred_at),
        h("div", {},
            h("p", {}, h("span", { class: "kind-name" }, words(entry.kind)), what.map((text) => [" ", name(text)]),
                entry.reason ? [" ", h("span", { class: "muted" }, name(entry.reason))] : null,
                entry.verified ? h("span", { class: "badge good" }, "Verified") : null),
            entry.user_text ? h("p", { class: "answer" }, "“", name(entry.user_text), "”") : null,
            notes.map((note) => h("p", { class: "muted small" }, note)),
            h("details", { class: "data" }, h("summary", {}, "As stored"),
                h("pre", { tabindex: "0" }, h("code", {}, JSON.stringify(content, null, 2))))));
}

/** A time to the second, with its day. */
function moment(at) {
    return h("div", { class: "moment" }, h("span", {}, clock(at)), h("span", { class: "muted" }, dateOf(at)));
}

/** Sentences of the collector, with its times in the page's zone. */
function localTimes(sentence) {
    return sentence.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (text) => time(text));
}

function rejections(list) {
    return h("section", { class: "panel inspected", "aria-labelledby": "inspect-rejected" },
        h("div", { class: "panel-head" }, h("h2", { id: "inspect-rejected" }, "Rejected events that say this id")),
        h("ol", { class: "timeline" }, list.map((one) => h("li", {},
            moment(one.received_at),
            h("div", {},
                h("p", {}, h("code", {}, one.code), " ", name(one.detail)),
                one.event ? h("pre", { tabindex: "0" }, h("code", {}, one.event)) : null)))));
}

export default { title: () => "Inspect", filters: [], render };
