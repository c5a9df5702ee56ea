// What needs attention: findings of health, undeclared names, rates that are left out.

import { report } from "./api.js";
import { h, name } from "./dom.js";
import { findings, worstFirst } from "./findings.js";
import { count } from "./format.js";
import { nothing, panel } from "./panel.js";
import { lastDays } from "./period.js";
import { href } from "./route.js";

/** Where more than this is sent the last day tells enough, and all of a period would take long. */
const much = 500_000;

/** The panel. `headlines` asks for the overview and `byCampaign` for conversion by campaign, which the page shows anyway. */
export function attention(address, signal, headlines, byCampaign) {
    const when = h("span", { class: "muted" });
    return panel({
        title: "Needs attention", id: "attention",
        about: when,
        load: async () => {
            // First what the page waits for: the other two read events, which takes longer.
            const [overview, conversion] = await Promise.all([headlines(), byCampaign()]);
            const isMuch = overview.rows.find((row) => row.metric === "sent")?.value > much;
            const { from, to, tz } = address.parameters;
            const recent = { ...(isMuch ? lastDays({ from, to }, 1) : { from, to }), tz };
            when.textContent = isMuch ? "events of the last day" : "";
            const [health, undeclared] = await Promise.all([
                report("health", recent, signal).catch(tooSlow), report("undeclared", recent, signal).catch(tooSlow),
            ]);
            return [
                ...merged(findings(health.rows)), ...unanswered([health, undeclared]),
                ...undeclaredNames(undeclared.rows), ...suppressed(conversion),
            ];
        },
        render: (list) => {
            if (list.length === 0) return nothing("Nothing. Reports are up to date and nothing looks odd.");
            return h("ul", { class: "findings" }, worstFirst(list).map(item));
        },
    });
}

/** One that took too long leaves the others standing. */
function tooSlow(error) {
    if (error.status !== 504) throw error;
    return { rows: [], isSlow: true };
}

function unanswered(results) {
    if (!results.some(({ isSlow }) => isSlow)) return [];
    return [{
        level: "warn", title: "Some checks took too long", href: "/health",
        advice: "The rest is here. Health asks for the period that you choose; a shorter one takes less.",
    }];
}

/** A finding with its advice. */
export function item({ level, title, advice, href: path, names = [] }) {
    return h(
        "li", { class: `finding ${level}` },
        h(
            "span", { class: "mark", role: "img", "aria-label": level === "bad" ? "Important" : "To look at" },
            level === "bad" ? "!" : "i",
        ),
        h("div", {},
            h("p", { class: "finding-title" }, path ? h("a", { href: href(path) }, title) : title),
            names.length ? h("p", { class: "finding-names" }, enumerated(names)) : null,
            h("p", { class: "muted" }, advice)),
    );
}

function enumerated(names) {
    const shown = names.slice(0, 5).flatMap((text, index) => [index ? ", " : "", name(text)]);
    return names.length > 5 ? [...shown, ` and ${count(names.length - 5)} more`] : shown;
}

/** Of the same finding about many dimensions or versions, only so many: health lists all. */
function merged(list) {
    return list.length <= 6 ? list : [
        ...list.slice(0, 5),
        { level: "warn", title: `${list.length - 5} more findings`, advice: "Health lists all.", href: "/health" },
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
            level: "warn", title: `${count(names.length)} ${names.length === 1 ? one : many} never declared`, names,
            advice: "Events name what nobody declared. Declare it, and its history counts.",
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
        advice: `Rates over fewer than ${count(conversion.parameters.min_n)} are left out rather than guessed.`,
        href: null,
    }];
}
