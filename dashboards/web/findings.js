// The meaning of each flag in the report `health`, and what to do about it.

import { count, duration, isMissing, isolated, percent, platformName } from "./format.js";

/** The flags. Level `bad` means wrong numbers or endangered events, `warn` something to check. */
const flags = {
    behind: {
        level: "bad", title: (row) => `Reports are ${duration(row.value)} behind`,
        advice: "The rollup worker can’t keep up or has stopped. Check the collector’s log and run “afterpush doctor”.",
    },
    spooled: {
        level: "bad", title: (row) => `${count(row.value)} events are in the spool`,
        advice: "The database was unavailable. Reports include these events once they are stored.",
    },
    away: {
        level: "bad", title: () => "A collector with spooled events has stopped reporting",
        advice: "Start it again so that its spooled events are stored.",
    },
    clocks_off: {
        level: "warn",
        title: (row) => `${share(row)} events come from clocks that are off by a minute or more`,
        advice: "Their times were corrected. If only one app version is affected, check how it sets sent_at.",
    },
    late: {
        level: "warn",
        title: (row) => `${share(row)} events arrived at least three days late`,
        advice: "Recent numbers will still grow. The usual causes are offline devices and imports.",
    },
    before_delivery: {
        level: "warn",
        title: (row) => `${share(row)} responses precede their delivery`,
        advice: "A clock is wrong, or a notification ID was used twice.",
    },
    missing_from_sends: {
        level: "warn",
        title: (row) => `Missing from sends, for ${share(row)} deliveries: ${dimension(row)}`,
        advice: "Only responses state it. Set it when sending, so that deliveries without a response count in the same "
            + "group.",
    },
    past_limit: {
        level: "warn", title: (row) => `Names past their limit: ${dimension(row)}`,
        advice: "Events are stored without these names. If the names are genuine, declare them, or let your server post "
            + "an event with them. Otherwise someone makes up names with the public key.",
    },
    rejected: {
        level: "warn", title: (row) => `${percent(row.n ? row.value / row.n : null)} of events were rejected`,
        advice: "The report “Rejected events” shows the reasons.", href: "/reports/rejected",
    },
    low: {
        level: "bad",
        title: (row) => `Few confirmed sends for ${version(row)}: ${percent(row.value)} of ${count(row.n)}`,
        advice: "Its service extension or push handler may be missing or broken.",
    },
};

const conflicts = {
    intake: {
        level: "warn",
        title: (row) => `${count(row.value)} events were sent again with different content`,
        advice: "The first one counts. A retried event must not change, and neither must its occurred_at.",
    },
    conflicting: {
        level: "warn",
        title: (row) => `Events disagree, for ${share(row)} deliveries: ${dimension(row)}`,
        advice: "The smallest value counts. Send the same value in every event.",
    },
};

/** A share of something: a percentage, or two numbers if they are too small for one. */
function share(row) {
    return isMissing(row.value) ? `${count(row.counted)} of ${count(row.n)}` : `${percent(row.value)} of`;
}

function dimension(row) {
    return (row.item ?? "").replace("_", " ");
}

const list = new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" });

/** The findings in the rows of `health`, worst first. The same finding about several dimensions becomes one. */
export function findings(rows) {
    const flagged = rows.filter((row) => row.flag);
    const shared = ["past_limit", "conflicting", "responses_only"].map((section) => flagged.filter(
        (row) => row.section === section,
    ));
    const single = flagged.filter((row) => !shared.flat().includes(row));
    const together = shared.filter((rows) => rows.length > 0).map((rows) => ({
        ...largest(rows), item: list.format(rows.map(dimension)),
    }));
    return worstFirst([...single, ...together].map(finding).filter(Boolean));
}

/** The row that counts the most. Its share is missing if it is one of too few. */
function largest(rows) {
    return rows.reduce((one, other) => (amount(other) > amount(one) ? other : one));
}

function amount(row) {
    return row.counted ?? row.value ?? 0;
}

export function worstFirst(findings) {
    return findings.sort((left, right) => (left.level === "bad" ? 0 : 1) - (right.level === "bad" ? 0 : 1));
}

function version(row) {
    const what = row.section === "coverage_os_version" ? "OS version" : "app version";
    const where = row.platform ? ` on ${platformName(row.platform)}` : "";
    return `${what} ${row.item ? isolated(row.item) : "not set"}${where}`;
}

/** The finding of a flagged row of `health` as `{ level, title, advice, href }`; null if it needs no attention. */
function finding(row) {
    if (!row.flag || row.section === "day") return null;
    const known = row.flag === "conflicts" ? conflicts[row.section] : flags[row.flag];
    const { level, title, advice, href } = known ?? unknown(row);
    return { level, title: title(row), advice, href: href ?? "/health" };
}

function unknown(row) {
    return { level: "warn", title: () => `${dimension(row)}: ${row.flag.replaceAll("_", " ")}`, advice: row.detail };
}
