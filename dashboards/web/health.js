// The page on data quality: the report `health`, section by section.

import { report } from "./api.js";
import { findingItem } from "./attention.js";
import { notSet, pageHead, refreshButton } from "./blocks.js";
import { h, name } from "./dom.js";
import { findings } from "./findings.js";
import {
    count, date, duration, isMissing, none, number, percent, platformName, range, time, words,
} from "./format.js";
import { emptyState, panel, shared } from "./panel.js";
import { rateColumn } from "./rates.js";
import { href } from "./route.js";
import { numberColumn, table } from "./table.js";

/** The panels of two columns: id, title, the question they answer, and their sections of the report. */
const groups = [
    [
        ["group-0", "Freshness", "Are reports up to date?", ["rollups", "spool"]],
        [
            "group-2", "Clocks and delays", "Are device clocks right, and how late do events arrive?",
            ["clock", "delay", "response_time"],
        ],
    ],
    [
        ["group-1", "Intake", "What arrived, and what was rejected?", ["intake", "past_limit", "verified"]],
        ["group-3", "Consistency", "Do the events of a delivery agree?", ["conflicting", "responses_only"]],
    ],
];

function render(address, signal) {
    const { from, to, tz } = address.parameters;
    const whole = shared(() => report("health", { from, to, tz }, signal));
    const part = (title, id, about, draw) => panel({
        title, id, about: h("span", { class: "muted" }, about), load: whole, render: (result) => draw(result),
    });
    return [
        pageHead(
            "Health",
            { about: ["Data quality · ", address.period.title], more: refreshButton() },
        ),
        part("Findings", "findings", "what needs attention", listOf),
        h("div", { class: "columns two" }, groups.map((column) =>
            h("div", { class: "stack" }, column.map(([id, title, about, sections]) =>
                part(title, id, about, (result) => facts(result, sections, title)))))),
        part(
            "Confirmed sends by app version", "app-versions", "does the service extension work?",
            (result) => coverage(result, "coverage_app_version", "Confirmed sends by app version"),
        ),
        part(
            "Confirmed sends by OS version", "os-versions", "",
            (result) => coverage(result, "coverage_os_version", "Confirmed sends by OS version"),
        ),
        part("Days", "days", "when is a day final?", days),
        panel({
            title: "Events of other systems", id: "dialects",
            about: h("span", { class: "muted" }, "what became of what other systems' clients posted"),
            load: () => report("dialects", {}, signal), render: dialects,
        }),
    ];
}

function listOf(result) {
    const list = findings(result.rows).map((one) => ({ ...one, href: one.href === "/health" ? null : one.href }));
    if (list.length === 0) return emptyState("No problems found.");
    return h("ul", { class: "findings" }, list.map(findingItem));
}

function facts(result, sections, caption) {
    const rows = result.rows.filter((row) => sections.includes(row.section));
    return table({
        caption, rows: withoutRepetition(rows),
        columns: [
            { label: "What", value: (row) => row.section + row.item, cell: what },
            { label: "Value", numeric: true, value: (row) => row.value, cell: value },
        ],
    });
}

/** Sections with the same check of many fields. */
const repetitive = ["past_limit", "conflicting", "responses_only"];

/** Makes one row of the fields of a section for which a check found nothing at all. */
function withoutRepetition(rows) {
    const isClean = (row) => repetitive.includes(row.section) && row.value === 0 && !row.flag;
    return rows.filter((row) => !isClean(row) || row === rows.find((one) => isClean(one) && one.section === row.section))
        .map((row) => (isClean(row) ? combined(rows.filter((one) => isClean(one) && one.section === row.section)) : row));
}

function combined(rows) {
    return {
        ...rows[0], item: rows.map(({ item }) => words(item).toLowerCase()).join(", "),
        value_high: Math.max(...rows.map((row) => row.value_high)),
    };
}

function what(row) {
    const detail = detailOf(row);
    return h("div", {}, label(row), row.flag ? badge(row.flag) : null,
        detail ? h("div", { class: "muted small" }, detail) : null);
}

const timestamp = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** The detail of a row, without what its label says already, and with times as people read them. */
function detailOf(row) {
    const [title, text] = [label(row).toLowerCase(), row.detail ?? ""];
    const rest = text.toLowerCase() === title ? "" : text.toLowerCase().startsWith(`${title}; `)
        ? text.slice(title.length + 2) : text;
    return [rest.replace(timestamp, (moment) => time(moment)), row.at ? `(${time(row.at)})` : ""].filter(Boolean).join(" ");
}

const labels = {
    rollups: { lag: "Reports are behind by" },
    spool: { waiting: "Events in the spool" },
    intake: {
        stored: "New events", duplicates: "Duplicates", conflicts: "Duplicates with different content",
        rejected: "Rejected",
        rejected_share: "Share of rejected",
    },
    verified: { events: "Verified events", responses: "Verified responses" },
    clock: {
        stated: "Clock offset known", corrected: "Clock corrected", skew_p01: "Clock correction, 1st percentile",
        skew_p50: "Clock correction, median", skew_p99: "Clock correction, 99th percentile",
    },
    delay: {
        over_1h: "At least one hour late", over_24h: "At least one day late", over_72h: "At least three days late",
        p50: "Delay, median", p90: "Delay, 90th percentile", p99: "Delay, 99th percentile",
    },
    response_time: { negative: "Responses that precede their delivery" },
};

function label({ section, item }) {
    const what = words(item ?? "").toLowerCase();
    if (section === "past_limit") return `Stored without: ${what}`;
    if (section === "conflicting") return `Conflicting ${what}`;
    if (section === "responses_only") return `Known only from responses: ${what}`;
    return labels[section]?.[item] ?? `${words(section)}: ${what}`;
}

function badge(flag) {
    return h("span", { class: "badge warn" }, flag.replaceAll("_", " "));
}

function value(row) {
    if (row.unit === "seconds") return duration(row.value);
    if (row.unit !== "ratio") return number(row.value);
    if (isMissing(row.value)) return row.suppressed ? `too few: ${count(row.n)}` : none;
    return [percent(row.value), h("div", { class: "interval" }, range(row.value_low, row.value_high))];
}

function coverage(result, section, caption) {
    const rows = result.rows.filter((row) => row.section === section)
        .map((row) => ({
            ...row, share: row.value, share_low: row.value_low, share_high: row.value_high, replied: row.n,
        }));
    if (rows.length === 0) return emptyState("No sends in this period.");
    return table({
        caption, rows, sort: null,
        columns: [
            {
                label: "Version",
                value: (row) => row.item,
                cell: (row) => [
                    isMissing(row.item) ? notSet() : name(row.item),
                    row.flag ? badge(row.flag) : null,
                ].filter(Boolean),
            },
            {
                label: "Platform",
                value: (row) => row.platform,
                cell: (row) => isMissing(row.platform) ? none : platformName(row.platform),
            },
            rateColumn("Confirmed", rows, "share"),
            numberColumn("Sends", "n", count),
        ],
    });
}

function days(result) {
    const rows = result.rows.filter((row) => row.section === "day").reverse();
    const last = result.rows.find((row) => row.section === "final");
    if (rows.length === 0) return emptyState("No deliveries in this period.");
    return [
        h(
            "p", { class: "sentence" }, finality(last), " ",
            h("a", { href: href("/reports/health") }, "See the full report"),
        ),
        table({
            caption: "Days", rows, sort: { index: 0, descending: true },
            columns: [
                { label: "Day", value: (row) => row.item, cell: (row) => date(row.item) },
                {
                    label: "State",
                    value: (row) => row.flag ?? "final",
                    cell: (row) => h(
                        "span", { class: `badge ${row.flag ? "quiet" : "good"}` },
                        row.flag ?? "final",
                    ),
                },
                numberColumn("Deliveries", "n", count),
                numberColumn("Still open", "value", count),
                numberColumn("Final", "at", time),
            ],
        }),
    ];
}

function dialects(result) {
    if (result.rows.length === 0) {
        return emptyState("No client of another system, such as Segment's or PostHog's, has posted in the last 90 days.");
    }
    return table({
        caption: "Events of other systems", rows: result.rows, sort: null,
        columns: [
            {
                label: "Event",
                value: (row) => row.name,
                cell: (row) => h("div", {}, row.name ? name(row.name) : notSet(),
                    row.reason ? badge(row.reason) : null,
                    h("div", { class: "muted small" }, [row.family, row.hint].filter(Boolean).join(" · "))),
            },
            numberColumn("Received", "received", count),
            numberColumn("Mapped", "mapped", count),
            numberColumn("Ignored", "ignored", count),
            numberColumn("Rejected", "rejected", count),
            numberColumn("Last", "last_at", time),
        ],
    });
}

function finality(last) {
    if (last?.item) return `Everything up to ${date(last.item)} is final.`;
    return "No day is final yet. A day becomes final once all its response windows have closed and no new event has "
        + "come in for seven days.";
}

export default { title: () => "Health", filters: ["period", "dates", "tz"], render };
