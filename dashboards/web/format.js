// Numbers and times in the reader's locale; times are in the page's time zone.

let zone = "UTC";
let times, hours, days, dates, clocks;

/** Sets the zone of all times formatted from now on. */
export function useZone(name) {
    zone = name;
    times = formatter({ dateStyle: "medium", timeStyle: "short" });
    hours = formatter({ day: "numeric", month: "short", hour: "numeric", minute: "2-digit" });
    days = formatter({ weekday: "short", day: "numeric", month: "short" });
    dates = formatter({ dateStyle: "medium" });
    clocks = formatter({ timeStyle: "medium" });
}

function formatter(options) {
    return new Intl.DateTimeFormat(undefined, { timeZone: zone, ...options });
}

export const none = "–";

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const significant = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 4 });

export function count(value) {
    return isMissing(value) ? none : whole.format(value);
}

export function number(value) {
    if (isMissing(value)) return none;
    return Number.isInteger(value) ? whole.format(value) : significant.format(value);
}

/** A share as a percentage; small ones get one more digit. */
export function percent(share) {
    return isMissing(share) ? none : percents(share).format(share);
}

/** An interval of shares. */
export function range(low, high) {
    if (isMissing(low) || isMissing(high)) return "";
    const format = percents(high);
    if (format.format(low) === format.format(high)) return format.format(low);
    return format.formatRange ? format.formatRange(low, high) : `${format.format(low)} – ${format.format(high)}`;
}

const digits = [0, 1, 2].map(
    (places) =>
        new Intl.NumberFormat(undefined, {
            style: "percent", minimumFractionDigits: places, maximumFractionDigits: places,
        }),
);

function percents(share) {
    return Math.abs(share) > 0 && Math.abs(share) < 0.01 ? digits[2] : digits[1];
}

export function wholePercent(share) {
    return digits[0].format(share);
}

/** Numbers of percentage points with one digit, or with two where one shows too little. */
const [signed, unsigned] = ["exceptZero", "never"].map((signDisplay) => [1, 2].map(
    (places) =>
        new Intl.NumberFormat(undefined, {
            minimumFractionDigits: places, maximumFractionDigits: places, signDisplay,
        }),
));

function pointsOf(formats, ...differences) {
    const sizes = differences.map(Math.abs);
    const isSmall = sizes.every((one) => one < 0.01) || sizes.some((one) => one > 0 && one < 0.0005);
    return formats[isSmall ? 1 : 0];
}

/** A difference of shares in percentage points, without the unit. */
export function points(difference) {
    return isMissing(difference) ? none : pointsOf(signed, difference).format(difference * 100);
}

/** An interval of differences, both bounds with the same digits. */
export function pointsRange(low, high) {
    if (isMissing(low) || isMissing(high)) return none;
    const format = pointsOf(signed, low, high);
    return `${format.format(low * 100)} to ${format.format(high * 100)}`;
}

export function size(difference) {
    return pointsOf(unsigned, difference).format(Math.abs(difference) * 100);
}

/** A margin in percentage points with its unit, without trailing zeros. */
export function marginPoints(share) {
    return amount(significant.format(share * 100), "percentage point", "percentage points");
}

/** A formatted number with its noun. */
export function amount(formatted, one, many) {
    return `${formatted} ${formatted === "1" ? one : many}`;
}

const growth = new Intl.NumberFormat(undefined, {
    style: "percent", maximumFractionDigits: 0, signDisplay: "exceptZero",
});

export function relative(change) {
    return growth.format(change);
}

const units = [
    ["second", 1, 60],
    ["minute", 60, 3600],
    ["hour", 3600, 172800],
    ["day", 86400, Infinity],
].map(([unit, seconds, below]) => ({ seconds, below, format: unitFormat(unit) }));

function unitFormat(unit) {
    return new Intl.NumberFormat(undefined, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 });
}

export function duration(seconds) {
    if (isMissing(seconds)) return none;
    const unit = units.find((unit) => Math.abs(seconds) < unit.below);
    return unit.format.format(seconds / unit.seconds);
}

/** A probability; tiny ones are shown as "under 0.001". */
export function probability(p) {
    return p < 0.001 ? `under ${significant.format(0.001)}` : new Intl.NumberFormat(undefined, {
        maximumSignificantDigits: 2,
    }).format(p);
}

export function time(text) {
    return isMissing(text) ? none : times.format(new Date(text));
}

/** A time of day, with seconds. */
export function clock(text) {
    return isMissing(text) ? none : clocks.format(new Date(text));
}

/** A date and time without the year, for an axis. */
export function hourOf(text) {
    return hours.format(new Date(text));
}

/** The day of a time in the page's zone. */
export function dayOf(text) {
    return days.format(new Date(text));
}

/** A calendar date such as `2026-11-21`, which has no zone. */
export function date(text) {
    if (isMissing(text)) return none;
    return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(text));
}

export function dateOf(text) {
    return dates.format(new Date(text));
}

/** A column's or metric's name in words: `open_rate` is Open rate. */
export function words(identifier) {
    const text = identifier.replaceAll("_", " ").replace(/ id$/, "");
    return text.charAt(0).toUpperCase() + text.slice(1);
}

const platformNames = {
    ios: "iOS", macos: "macOS", watchos: "watchOS", visionos: "visionOS", android: "Android", web: "Web",
};

/** The display name of a platform. */
export function platformName(id) {
    return platformNames[id] ?? id;
}

/** Isolates text from the data within a sentence, so that right-to-left text does not reorder the rest. */
export function isolated(text) {
    return `\u2068${text}\u2069`;
}

export function isMissing(value) {
    return value === null || value === undefined;
}

useZone("UTC");
