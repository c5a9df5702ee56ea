// The page on alerts: the rules with their states, the latest changes, and where alerts go.

import { alerts } from "./api.js";
import { pageHead, refreshButton } from "./blocks.js";
import { h, name } from "./dom.js";
import { count, none, time } from "./format.js";
import { emptyState, panel, shared } from "./panel.js";
import { table } from "./table.js";

function render(address, signal) {
    const whole = shared(() => alerts(signal));
    const part = (title, id, about, draw) => panel({
        title, id, about: h("span", { class: "muted" }, about), load: whole, render: draw,
    });
    return [
        pageHead(
            "Alerts",
            {
                about: "Rules watch values of reports. Change them with `afterpush alerts` or /v1/alerts.".split("`")
                    .map((text, index) => (index % 2 === 1 ? h("code", {}, text) : text)),
                more: refreshButton(),
            },
        ),
        part("Firing", "firing", "what is beyond its limit now", firing),
        part("Rules", "rules", "what is watched", rules),
        part("History", "history", "the latest changes, and what became of their messages", history),
        part("Destinations", "destinations", "where alerts go if their rule names none", destinations),
    ];
}

/** The states of all rules, each with the name of its rule. */
function states(result) {
    return result.alerts.flatMap((rule) => rule.states.map((state) => ({ ...state, alert: rule.name })));
}

function firing(result) {
    const rows = states(result).filter((row) => row.state !== "ok");
    if (rows.length === 0) return emptyState("No alert is firing.");
    // The list has only some of very many states.
    const more = result.alerts.reduce((sum, { counts }) => sum + counts.firing + counts.pending, 0) - rows.length;
    const list = table({
        caption: "Alerts that are firing or pending", rows,
        columns: [
            { label: "Alert", value: (row) => row.alert, class: "rule", cell: (row) => labelled(row.alert, row.series) },
            { label: "State", value: (row) => row.state, cell: (row) => badge(row.state) },
            { label: "Since", value: (row) => row.since, cell: (row) => time(row.since) },
            { label: "What", value: (row) => row.description, class: "long", cell: (row) => name(row.description) },
        ],
    });    return more > 0 ? [list, h("p", { class: "muted" }, `${count(more)} more are not shown.`)] : list;
}

function rules(result) {
    return table({
        caption: "Alert rules", rows: result.alerts, empty: "There are no rules yet.",
        columns: [
            { label: "Rule", value: (rule) => rule.name, class: "rule", cell: (rule) => ruleName(rule) },
            { label: "State", value: stateOf, cell: (rule) => badge(stateOf(rule)) },
            {
                label: "Watches", value: (rule) => rule.report + rule.column,
                cell: (rule) => [h("code", {}, watched(rule)), " ", h("div", {}, rule.expects)], class: "texty watched",
            },
            { label: "Rows", numeric: true, value: rowsOf, cell: (rule) => count(rowsOf(rule)) },
            {
                label: "Last evaluated", value: (rule) => rule.evaluated_at ?? "",
                cell: (rule) => (rule.evaluated_at ? time(rule.evaluated_at) : none),
            },
        ],
    });
}

function ruleName(rule) {
    return h(
        "div", {}, name(rule.name),
        rule.built_in ? h("div", { class: "muted small" }, "built in") : null,
        rule.problem ? h("div", { class: "muted small" }, rule.problem) : null,
    );
}

function stateOf(rule) {
    if (!rule.enabled) return "off";
    if (rule.problem) return "failed";
    if (!rule.evaluated_at) return "new";
    return ["firing", "pending"].find((state) => rule.counts[state] > 0) ?? "ok";
}

function rowsOf({ counts }) {
    return counts.ok + counts.pending + counts.firing;
}

/** What a rule watches: a column of a report, or a check of a report with one check a row. */
function watched({ report, column, where: { section, item, ...others } }) {
    const checks = [section, item, ...Object.values(others)].filter(Boolean);
    return [checks.length > 0 && column === "value" ? report : `${report}.${column}`, ...checks].join(" ");
}

function history(result) {
    if (result.history.length === 0) return emptyState("No alert has changed its state yet.");
    return table({
        caption: "Changes of alerts", rows: result.history, sort: { index: 0, descending: true },
        columns: [
            { label: "Time", value: (row) => row.at, cell: (row) => time(row.at) },
            { label: "Alert", value: (row) => row.alert, class: "rule", cell: (row) => labelled(row.alert, row.series) },
            { label: "State", value: (row) => row.to, cell: (row) => badge(row.to) },
            { label: "What", value: (row) => row.description, class: "long", cell: (row) => name(row.description) },
            { label: "Messages", value: (row) => row.delivered, cell: messages },
        ],
    });
}

function messages(row) {
    const parts = [["delivered", row.delivered], ["waiting", row.waiting], ["failed", row.failed]]
        .filter(([, number]) => number > 0).map(([what, number]) => `${count(number)} ${what}`);
    return parts.length > 0 ? parts.join(", ") : none;
}

function destinations(result) {
    const list = result.deliver.map((destination) => Object.entries(destination)[0]);
    const disabled = result.disabled.map((destination) => Object.entries(destination)[0]);
    const item = ([kind, target], note) => h("li", {}, `${kind}: `, name(target), note ? ` (${note})` : null);
    return [
        list.length > 0
            ? h("ul", {}, list.map((entry) => item(entry, null)))
            : emptyState("None: alerts of rules without destinations only show here."),
        disabled.length > 0
            ? h("ul", {}, disabled.map((entry) => item(entry, "disabled: it answered 410 Gone")))
            : null,
        h("p", { class: "muted" }, result.summary ? `Summary: ${result.summary}.` : "No summary is sent."),
    ];
}

function labelled(alert, series) {
    const values = Object.entries(series).map(([column, value]) => `${column} ${value ?? "unknown"}`).join(", ");
    return h("div", {}, name(alert), values ? h("div", { class: "muted small" }, name(values)) : null);
}

function badge(state) {
    const level = { firing: "bad", failed: "bad", pending: "warn" }[state];
    return level ? h("span", { class: `badge ${level}` }, state) : state;
}

export default { title: () => "Alerts", filters: [], render };
