// What the flags of `health` mean, and what to do about them.

import { count, duration, isolated, percent, platformName } from "./format.js";

/** How bad a finding is: numbers are wrong or events in danger, or something to look at. */
const flags = {
    behind: {
        level: "bad", title: (row) => `Reports are ${duration(row.value)} behind`,
        advice: "The rollup worker does not keep up, or has stopped. See the collector’s log, and run “afterpush doctor”.",
    },
    spooled: {
        level: "bad", title: (row) => `${count(row.value)} events wait in a spool`,
        advice: "The database was away; they are stored when it is back. Until then no report counts them.",
    },
    away: {
        level: "bad", title: () => "A collector with spooled events has not been heard of",
        advice: "Start it again, so that what it holds gets stored.",
    },
    clocks_off: {
        level: "warn",
        title: (row) => `${percent(row.value)} of the events come from clocks that are a minute or more off`,
        advice: "Their times were corrected. If it is one app version, look at how it states sent_at.",
    },
    late: {
        level: "warn",
        title: (row) => `${percent(row.value)} of the events came three days late or later`,
        advice: "Recent numbers still grow. Devices that were offline, or an import, are the usual cause.",
    },
    before_delivery: {
        level: "warn",
        title: (row) => `${percent(row.value)} of the responses come before their delivery`,
        advice: "A clock is off, or a notification’s id is used twice.",
    },
    missing_from_sends: {
        level: "warn",
        title: (row) => `Known from responses alone, for ${percent(row.value)} of the deliveries: ${dimension(row)}`,
        advice: "State it when sending, so that those who don’t respond are counted in the same group.",
    },
    rejected: {
        level: "warn", title: (row) => `${percent(row.n ? row.value / row.n : null)} of the events were refused`,
        advice: "The report “Rejected events” tells why.", href: "/reports/rejected",
    },
    low: {
        level: "bad",
        title: (row) => `Few sends are confirmed by ${version(row)}: ${percent(row.value)} of ${count(row.n)}`,
        advice: "Its service extension or push handler may be missing or broken.",
    },
};

const conflicts = {
    intake: {
        level: "warn",
        title: (row) => `${count(row.value)} events came again with another content`,
        advice: "The first one counts. An event that is sent again must not change, its occurred_at included.",
    },
    conflicting: {
        level: "warn",
        title: (row) => `The events of ${percent(row.value)} of the deliveries disagree: ${dimension(row)}`,
        advice: "The smallest value counts. State it the same way in every event.",
    },
};

function dimension(row) {
    return (row.item ?? "").replace("_", " ");
}

const list = new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" });

/** All findings of the rows of `health`, the worst first. The same about several dimensions is one. */
export function findings(rows) {
    const flagged = rows.filter((row) => row.flag);
    const shared = ["conflicting", "responses_only"].map((section) => flagged.filter(
        (row) => row.section === section,
    ));
    const single = flagged.filter((row) => !shared.flat().includes(row));
    const together = shared.filter((rows) => rows.length > 0).map((rows) => ({
        ...rows[0], value: Math.max(...rows.map((row) => row.value)), item: list.format(rows.map(dimension)),
    }));
    return worstFirst([...single, ...together].map(finding).filter(Boolean));
}

export function worstFirst(findings) {
    return findings.sort((left, right) => (left.level === "bad" ? 0 : 1) - (right.level === "bad" ? 0 : 1));
}

function version(row) {
    const what = row.section === "coverage_os_version" ? "system version" : "app version";
    const where = row.platform ? ` on ${platformName(row.platform)}` : "";
    return `${what} ${row.item ? isolated(row.item) : "not stated"}${where}`;
}

/** What a flagged row of `health` says, as `{ level, title, advice, href }`; null if it is only information. */
function finding(row) {
    if (!row.flag || row.section === "day") return null;
    const known = row.flag === "conflicts" ? conflicts[row.section] : flags[row.flag];
    const { level, title, advice, href } = known ?? unknown(row);
    return { level, title: title(row), advice, href: href ?? "/health" };
}

function unknown(row) {
    return { level: "warn", title: () => `${dimension(row)}: ${row.flag.replaceAll("_", " ")}`, advice: row.detail };
}
