// The page of a report: its parameters, table and SQL, and downloads as CSV and JSON.

import { catalogue, getText, report as load, reportPath } from "./api.js";
import { pageHead } from "./blocks.js";
import { h, prose } from "./dom.js";
import { drawing, isDrawn } from "./drawing.js";
import { updateFilters } from "./filters.js";
import { count, time } from "./format.js";
import { emptyState, panel, shared } from "./panel.js";
import { parameterForm } from "./parameters.js";
import { resultTable } from "./result.js";
import { go, href, withFilters } from "./route.js";
import { isShared } from "./shared.js";

/** The parameters that the filter bar sets. A report's other parameters have a form of their own. */
const common = ["from", "to", "tz", "campaign", "category", "variant", "platform", "app_version", "verified"];

function render(address, signal) {
    const place = h("div", { class: "stack" });
    const head = pageHead(address.id, { kind: [h("a", { href: href("/reports") }, "Reports"), " / ", h("code", {}, address.id)] });
    const whole = panel({
        title: "Report", id: "report", size: "bare whole", load: catalogue,
        render: (list) => {
            const definition = list.find((one) => one.name === address.id);
            if (!definition) return emptyState(
                "There is no report with this name.",
                h("p", {}, h("a", { href: href("/reports") }, "See all reports")),
            );
            head.querySelector("h1").textContent = definition.title || definition.name;
            head.append(h("p", { class: "about" }, prose(definition.description)));
            updateFilters(address, filtersOf(definition));
            place.replaceChildren(...parts(address, signal, definition));
            return place;
        },
    });
    return [head, whole];
}

function filtersOf(definition) {
    const names = new Set(definition.parameters.map((parameter) => parameter.name));
    const filters = common.filter((name) => names.has(name) && name !== "from" && name !== "to");
    return names.has("from") ? ["period", "dates", ...filters] : filters;
}

function parts(address, signal, definition) {
    const own = definition.parameters.filter((parameter) => !common.includes(parameter.name));
    const parameters = requestParameters(address, definition, own);
    const result = shared(() => load(definition.name, parameters, signal));
    return [
        own.length > 0 && !isShared ? parameterForm(own, address.query, (changes) => go(withFilters(changes))) : null,
        isDrawn(definition.name) ? drawn(result, address) : null,
        panel({
            title: "Rows", id: "rows", about: downloads(definition, parameters),
            load: result, render: (result) => rows(result, address),
        }),
        isShared ? null : sql(definition.name, signal),
    ].filter(Boolean);
}

/** The panel of the report's drawing. It is not shown if there is nothing to draw. */
function drawn(result, address) {
    const section = panel({
        title: "Chart", id: "drawing", load: result,
        render: (result) => {
            const nodes = drawing(result, address);
            section.hidden = !nodes;
            return nodes;
        },
    });
    return section;
}

/** The report's parameters, from the filter bar and from its own form. */
function requestParameters(address, definition, own) {
    const names = new Set(definition.parameters.map((parameter) => parameter.name));
    const fromBar = Object.entries(address.parameters).filter(([name]) => names.has(name));
    const fromForm = own.map(({ name }) => [name, address.query.get(name)]);
    return Object.fromEntries([...fromBar, ...fromForm]);
}

function downloads(definition, parameters) {
    const link = (format, title) => h(
        "a", {
            class: "button", href: reportPath(definition.name, parameters, format),
            download: `${definition.name}.${format}`,
        }, title,
    );
    return h("div", { class: "buttons-row" }, link("csv", "CSV"), link("json", "JSON"));
}

function rows(result, address) {
    const n = result.rows.length;
    const all = address.query.get("columns") === "all";
    const hasBounds = result.columns.some((column) => /_low$/.test(column.name));
    return [
        h("div", { class: "row-facts" },
            h("p", { class: "as-of" }, `${count(n)} ${n === 1 ? "row" : "rows"}, as of ${time(result.as_of)}.`,
                result.truncated ? " There are more rows: choose a shorter period." : ""),
            hasBounds ? h(
                "a", { class: "plain", href: withFilters({ columns: all ? "" : "all" }) },
                all ? "Show intervals beside their rates" : "Show intervals as columns",
            ) : null),
        resultTable(result, all),
    ];
}

/** The SQL statement, fetched when the section is opened. */
function sql(name, signal) {
    const code = h("code", {}, "Loading…");
    const details = h("details", { class: "panel sql" }, h("summary", {}, "SQL"), h("pre", { tabindex: "0" }, code));
    details.addEventListener("toggle", async () => {
        if (!details.open || details.dataset.loaded) return;
        details.dataset.loaded = "true";
        try {
            code.textContent = await getText(`/v1/reports/${encodeURIComponent(name)}/sql`, signal);
            details.append(copyButton(code));
        } catch (error) {
            if (error.name !== "AbortError") code.textContent = `The SQL can’t be shown: ${error.message}`;
            delete details.dataset.loaded;
        }
    });
    return details;
}

function copyButton(code) {
    const button = h("button", {
        type: "button", on: {
            click: async () => {
                try {
                    await navigator.clipboard.writeText(code.textContent);
                    button.textContent = "Copied";
                } catch {
                    getSelection().selectAllChildren(code);
                    button.textContent = "Selected: copy with the keyboard";
                }
            },
        },
    }, "Copy");
    return button;
}

export default { title: (address) => address.id, filters: ["period", "dates", ...common.slice(2)], render };
