// The steps of a chart's time axis: every day or hour of the period, whether or not something happened in it.

import { addDays, today } from "./period.js";

const hour = 3_600_000;

/** Of a longer period, only the end is shown: nobody sees more steps than this in one chart. */
const mostSteps = 3_000;

/**
 * The steps of a period as `{ key, time, isOpen }`, oldest first. `keys` are those of the data, as `keyOf` makes them, and
 * are included even if they are outside the period. Steps in the future are left out; the one under way is open.
 */
export function stepsOf(period, zone, keys, now = Date.now()) {
    return period.step === "hour" ? hourly(period, zone, keys, now) : daily(period, zone, keys, now);
}

/** The key of a row's day or time: a date in the zone, or the milliseconds of an hour. */
export function keyOf(text, step, zone) {
    if (step === "hour") return Math.floor(Date.parse(text) / hour) * hour;
    return isDate(text) ? text : today(zone, Date.parse(text));
}

function daily({ from, to }, zone, keys, now) {
    const current = today(zone, now);
    const known = [...keys].sort();
    const end = to && lastDay(to, zone) < current ? lastDay(to, zone) : current;
    const last = known.at(-1) > end ? known.at(-1) : end;
    const first = [from ? keyOf(from, "day", zone) : null, known[0]].filter(Boolean).sort()[0];
    const earliest = addDays(last, -mostSteps);
    const steps = [];
    for (let day = first < earliest ? earliest : first; day && day <= last; day = addDays(day, 1)) {
        steps.push({ key: day, time: midday(day, zone), isOpen: day === current });
    }
    return steps;
}

/** A time on a day in the zone. */
function midday(day, zone) {
    const noon = Date.parse(`${day}T12:00:00Z`);
    const local = today(zone, noon);
    const away = local === day ? 0 : local > day ? -12 * hour : 12 * hour;
    return new Date(noon + away).toISOString();
}

function hourly({ from, to }, zone, keys, now) {
    const current = Math.floor(now / hour) * hour;
    const known = [...keys].sort((left, right) => left - right);
    const end = to ? Math.min(current, instant(to, zone) - 1) : current;
    const last = Math.max(Math.floor(end / hour) * hour, known.at(-1) ?? 0);
    const first = Math.min(from ? instant(from, zone) : known[0] ?? current, known[0] ?? Infinity);
    const steps = [];
    for (let at = Math.max(Math.floor(first / hour) * hour, last - mostSteps * hour); at <= last; at += hour) {
        steps.push({ key: at, time: new Date(at).toISOString(), isOpen: at === current });
    }
    return steps;
}

function isDate(text) {
    return /^\d{4}-\d\d-\d\d$/.test(text);
}

/** The last day of a period, whose end is exclusive. */
function lastDay(to, zone) {
    return isDate(to) ? addDays(to, -1) : today(zone, Date.parse(to) - 1);
}

/** The first hour of a date in the zone, or the moment itself. */
function instant(text, zone) {
    if (!isDate(text)) return Date.parse(text);
    const start = Date.parse(`${text}T00:00:00Z`) - 15 * hour;
    for (let at = start; at < start + 30 * hour; at += hour) if (today(zone, at) === text) return at;
    return Date.parse(text);
}
