// The panel "Needs attention": findings of the report `health`, undeclared names and suppressed rates.

import { report } from "./api.js";
import { h, name } from "./dom.js";
import { findings, worstFirst } from "./findings.js";
import { count } from "./format.js";
import { emptyState, panel } from "./panel.js";
import { lastDays } from "./period.js";
import { href } from "./route.js";

/** With more sends than this, the checks cover only the last 24 hours: a whole period would take too long. */
const largeVolume = 500_000;

/** The panel. `headlines` loads `overview`, `byCampaign` loads `conversion`: the page needs both results anyway. */
export function attention(address, signal, headlines, byCampaign) {
    const when = h("span", { class: "muted" });
    return panel({
        title: "Needs attention", id: "attention", size: "flexible",
        about: when,
        load: async () => {
            // These come first because the page waits for them; the other two read events and take longer.
            const [overview, conversion] = await Promise.all([headlines(), byCampaign()]);
            const isLarge = overview.rows.find((row) => row.metric === "sent")?.value > largeVolume;
            const { from, to, tz } = address.parameters;
            const recent = { ...(isLarge ? lastDays({ from, to }, 1) : { from, to }), tz };
            when.textContent = isLarge ? "last 24 hours only" : "";
            const [health, undeclared] = await Promise.all([
                report("health", recent, signal).catch(emptyOnTimeout),
                report("undeclared", recent, signal).catch(emptyOnTimeout),
            ]);
            return [
                ...shortened(findings(health.rows)), ...timeouts([health, undeclared]),
                ...undeclaredNames(undeclared.rows), ...suppressed(conversion),
            ];
        },
        render: (list) => {
            if (list.length === 0) return emptyState("All clear: reports are up to date and no check found a problem.");
            return h("ul", { class: "findings" }, worstFirst(list).map(findingItem));
        },
    });
}

/** Turns a timeout into an empty result, so that the other checks are still shown. */
function emptyOnTimeout(error) {
    if (error.status !== 504) throw error;
    return { rows: [], timedOut: true };
}

function timeouts(results) {
    if (!results.some(({ timedOut }) => timedOut)) return [];
    return [{
        level: "warn", title: "Some checks timed out", href: "/health",
        advice: "The other findings are listed here. The Health page runs all checks; choose a shorter period there.",
    }];
}

/** A list item for a finding and its advice. */
export function findingItem({ level, title, advice, href: path, names = [] }) {
    return h(
        "li", { class: `finding ${level}` },
        h(
            "span", { class: "mark", role: "img", "aria-label": level === "bad" ? "Problem" : "Notice" },
            level === "bad" ? "!" : "i",
        ),
        h("div", {},
            h("p", { class: "finding-title" }, path ? h("a", { href: href(path) }, title) : title),
            names.length ? h("p", { class: "finding-names" }, nameList(names)) : null,
            h("p", { class: "muted" }, advice)),
    );
}

function nameList(names) {
    const shown = names.slice(0, 5).flatMap((text, index) => [index ? ", " : "", name(text)]);
    return names.length > 5 ? [...shown, ` and ${count(names.length - 5)} more`] : shown;
}

/** Limits the list to six items. The Health page lists all findings. */
function shortened(list) {
    return list.length <= 6 ? list : [
        ...list.slice(0, 5),
        {
            level: "warn", title: `${list.length - 5} more findings`, advice: "The Health page lists them all.",
            href: "/health",
        },
    ];
}

const kinds = {
    campaign: ["campaign", "campaigns"], variant: ["variant", "variants"], category: ["category", "categories"],
    category_version: ["category version", "category versions"], action: ["action", "actions"],
};

function undeclaredNames(rows) {
    return Object.entries(kinds).flatMap(([kind, [one, many]]) => {
        const names = rows.filter((row) => row.kind === kind).map((row) => row.name);
        if (names.length === 0) return [];
        return [{
            level: "warn", title: `${count(names.length)} undeclared ${names.length === 1 ? one : many}`, names,
            advice: "Events use names that are not declared. Declare them, and their past events count too.",
            href: "/reports/undeclared",
        }];
    });
}

function suppressed(conversion) {
    const n = conversion.rows.filter((row) => row.suppressed).length;
    if (n === 0) return [];
    return [{
        level: "warn",
        title: `${count(n)} ${n === 1 ? "campaign has" : "campaigns have"} too few deliveries for some rates`,
        advice: `Rates over fewer than ${count(conversion.parameters.min_n)} deliveries are left out.`,
        href: null,
    }];
}
