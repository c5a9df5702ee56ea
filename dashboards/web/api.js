// Asks the collector, and tells what went wrong.

/** An answer that is no data. `status` is 0 if there was none at all. */
class Problem extends Error {
    constructor(status, code, detail) {
        super(detail);
        this.status = status;
        this.code = code;
    }
}

/** A report's result; `parameters` that are empty are left out. */
export function report(name, parameters, signal) {
    return getJSON(reportPath(name, parameters), signal);
}

export function reportPath(name, parameters = {}, format = null) {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(parameters)) {
        if (value !== null && value !== undefined && value !== "" && value !== false) query.set(key, value);
    }
    if (format) query.set("format", format);
    // A blank as %20: the collector takes a plus for a plus, as in the offset of a time.
    const text = query.toString().replaceAll("+", "%20");
    return `/v1/reports/${encodeURIComponent(name)}${text ? `?${text}` : ""}`;
}

async function getJSON(path, signal) {
    const answer = await get(path, "application/json", signal);
    return answer.json();
}

export async function getText(path, signal) {
    const answer = await get(path, "text/plain, */*", signal);
    return answer.text();
}

/** Waits and asks again, a few times, where the collector is busy. */
async function get(path, accept, signal) {
    for (let attempt = 1; ; attempt += 1) {
        const answer = await ask(path, accept, signal);
        if (answer.ok) return answer;
        const seconds = Number(answer.headers.get("Retry-After") ?? 0);
        if (seconds > 0 && seconds <= 5 && attempt < 4) {
            await pause(seconds * attempt * 1000, signal);
            continue;
        }
        if (answer.status === 401) goToLogin();
        throw await problem(answer);
    }
}

async function ask(path, accept, signal) {
    try {
        return await fetch(path, { headers: { Accept: accept }, signal });
    } catch (error) {
        if (error.name === "AbortError") throw error;
        dispatchEvent(new Event("unreachable"));
        throw new Problem(0, "unreachable", "Afterpush does not answer.");
    }
}

async function problem(answer) {
    try {
        const { code, detail } = await answer.json();
        return new Problem(answer.status, code, detail);
    } catch {
        return new Problem(answer.status, "unknown", `Afterpush answered with the status ${answer.status}.`);
    }
}

function pause(milliseconds, signal) {
    return new Promise((resolve, reject) => {
        setTimeout(resolve, milliseconds);
        signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")), { once: true });
    });
}

/** Logs in, and comes back to this address. */
export function goToLogin() {
    location.replace(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
}

const kept = new Map();

/** What hardly changes while one looks: asked for once in a minute. Only successes are kept. */
function remembered(path) {
    const entry = kept.get(path);
    if (entry && Date.now() - entry.at < 60_000) return entry.promise;
    const promise = getJSON(path);
    kept.set(path, { promise, at: Date.now() });
    promise.catch(() => kept.delete(path));
    return promise;
}

export const session = () => remembered("/session");
export const catalogue = async () => (await remembered("/v1/reports")).reports;
export const campaigns = async () => (await remembered("/v1/campaigns")).campaigns;
export const categories = async () => (await remembered("/v1/categories")).categories;
