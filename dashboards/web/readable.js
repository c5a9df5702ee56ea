// Makes a report's result readable: rates first, and numbers, days and durations as people write them.

import {
    count, dateOf, isMissing, number, percent, platformName, points, pointsRange, probability, range, wholePercent, words,
} from "./format.js";

/** Columns that name a row. A report has its groups first. */
const groups = new Set([
    "campaign_id", "category_id", "category_version", "variant", "platform", "day", "hour", "app_version", "metric",
    "step", "time", "weekday", "outcome", "section", "item", "action_id", "title", "family", "kind", "name", "seconds", "recent_from",
    "recent_to",
]);

/** The columns in the order in which people read them: what a row is about, its rates and differences, then the rest. */
export function inReadingOrder(columns) {
    const first = leadingGroups(columns);
    const rest = columns.slice(first);
    const isMain = ({ name, unit }) => (unit === "ratio" && !/^(verified|compared|open)_share$/.test(name))
        || isProbability(name) || overviewNumbers.test(name);
    return [...columns.slice(0, first), ...rest.filter(isMain), ...rest.filter((column) => !isMain(column))];
}

/** The number of columns at the beginning that name a row. */
export function leadingGroups(columns) {
    const end = columns.findIndex(({ name }) => !groups.has(name));
    return end < 0 ? columns.length : end;
}

const overviewNumbers = /^(value|low|high|previous|compared|change|change_low|change_high)$/;

function isProbability(name) {
    return /^(sample_ratio_)?p(_anytime|_holm)?$/.test(name);
}

function isDifference(name) {
    return /^(difference|response_change|dismiss_change|detectable_effect)(_|$)/.test(name);
}

const labels = {
    p: "p", p_holm: "p (Holm)", p_anytime: "p at any look", sample_ratio_p: "p of the split",
    sample_ratio_p_anytime: "p of the split at any look", n: "Of", base_n: "Base", min_n: "Least n",
    p50_seconds: "Median time", seconds: "After", at_risk: "Observed", share_of_first: "Of the first step",
    share_of_previous: "Of the step before", offered_n: "Offered",
};

/** The head of a column. */
export function columnLabel({ name, unit }) {
    const quantile = /^p(\d\d)_seconds$/.exec(name);
    const label = labels[name] ?? (quantile ? `${wholePercent(quantile[1] / 100)} within` : words(name));
    return isDifference(name) && unit === "ratio" ? `${label} (points)` : label;
}

/** A value that means more than its type says, as text; null if the type says it all. */
export function readable({ name, type, unit }, row, { report, parameters }) {
    const value = row[name];
    if (isMissing(value)) return null;
    if (report === "overview" && overviewNumbers.test(name)) return metricText(name, row);
    if (name === "weekday") return weekday(value);
    if (name === "hour" && type === "integer") return `${String(value).padStart(2, "0")}:00`;
    if (name === "platform") return platformName(value);
    if (name === "time" && parameters?.by === "day") return dateOf(value);
    if (isProbability(name)) return probability(value);
    return isDifference(name) && unit === "ratio" ? points(value) : null;
}

/** The interval beside a value, as text. */
export function intervalText({ name, unit }, row, { report }) {
    const [low, high] = [row[`${name}_low`], row[`${name}_high`]];
    if (isMissing(low) || isMissing(high)) return "";
    const isChange = report === "overview" && name === "change";
    if (isChange && !isRateMetric(row)) return `${signed.format(low)} to ${signed.format(high)}`;
    if (isChange || isDifference(name)) return pointsRange(low, high);
    return unit === "ratio" ? range(low, high) : `${number(low)} to ${number(high)}`;
}

const signed = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0, signDisplay: "exceptZero" });

/** Whether a row of `overview` is a rate: only a rate has a denominator. */
function isRateMetric(row) {
    return !isMissing(row.n) || /_(rate|coverage)$/.test(row.metric);
}

function metricText(name, row) {
    const isChange = name.startsWith("change");
    if (isRateMetric(row)) return isChange ? points(row[name]) : percent(row[name]);
    return isChange ? signed.format(row[name]) : count(row[name]);
}

const weekdays = new Intl.DateTimeFormat(undefined, { weekday: "long", timeZone: "UTC" });

/** A day of the week, of which 1 is Monday. 2024-01-01 was a Monday. */
function weekday(value) {
    return weekdays.format(new Date(Date.UTC(2024, 0, value)));
}
