// Requests to the collector, and their errors.

import { credentials, isShared } from "./shared.js";

/** A failed request. `status` is 0 if there was no response. */
class Problem extends Error {
    constructor(status, code, detail) {
        super(detail);
        this.status = status;
        this.code = code;
    }
}

/** The requests that results came from. */
const sources = new WeakMap();

/** Fetches a report's result. Empty `parameters` are left out. */
export async function report(name, parameters, signal) {
    const result = await getJSON(reportPath(name, parameters), signal);
    sources.set(result, { name, parameters });
    return result;
}

/** The requests `{ name, parameters }` of the results in a panel's data, which may be a result or a list of some. */
export function sourcesOf(data) {
    const found = [data].flat(3).map((part) => part !== null && typeof part === "object" ? sources.get(part) : null);
    return [...new Set(found.filter(Boolean))];
}

export function reportPath(name, parameters = {}, format = null) {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(parameters)) {
        if (value !== null && value !== undefined && value !== "" && value !== false) query.set(key, value);
    }
    if (format) query.set("format", format);
    const text = query.toString();
    return `/v1/reports/${encodeURIComponent(name)}${text ? `?${text}` : ""}`;
}

async function getJSON(path, signal) {
    const response = await get(path, "application/json", signal);
    return response.json();
}

/** Fetches the alert rules with their states and the latest changes. */
export function alerts(signal) {
    return getJSON("/v1/alerts", signal);
}

/** Fetches what is stored about an id, with reply texts if `text` is set. */
export function inspect(id, text, signal) {
    const query = new URLSearchParams({ id, ...(text ? { include_text: "true" } : {}) });
    return getJSON(`/v1/inspect?${query}`, signal);
}

export async function getText(path, signal) {
    const response = await get(path, "text/plain, */*", signal);
    return response.text();
}

/** Sends a change as JSON, and returns the answer, if it has a body. It is not retried. */
export async function send(method, path, body) {
    const response = await attemptFetch(path, "application/json", undefined, {
        method, body: body === undefined ? undefined : JSON.stringify(body), contentType: "application/json",
    });
    if (response.status === 401) goToLogin();
    if (!response.ok) throw await problem(response);
    return response.status === 204 ? null : response.json();
}

/** Retries a few times while the collector is busy. */
async function get(path, accept, signal) {
    for (let attempt = 1; ; attempt += 1) {
        const response = await attemptFetch(path, accept, signal);
        if (response.ok) return response;
        const seconds = Number(response.headers.get("Retry-After") ?? 0);
        if (seconds > 0 && seconds <= 5 && attempt < 4) {
            await pause(seconds * attempt * 1000, signal);
            continue;
        }
        if (response.status === 401 && !isShared) goToLogin();
        throw await problem(response);
    }
}

async function attemptFetch(path, accept, signal, { method = "GET", body, contentType } = {}) {
    const headers = { Accept: accept, ...(contentType ? { "Content-Type": contentType } : {}) };
    try {
        return await fetch(path, {
            method, body, headers: { ...headers, ...credentials }, signal, credentials: isShared ? "omit" : "same-origin",
        });
    } catch (error) {
        if (error.name === "AbortError") throw error;
        dispatchEvent(new Event("unreachable"));
        throw new Problem(0, "unreachable", "Afterpush did not respond.");
    }
}

async function problem(response) {
    try {
        const { code, detail } = await response.json();
        return new Problem(response.status, code, detail);
    } catch {
        return new Problem(response.status, "unknown", `Afterpush responded with status ${response.status}.`);
    }
}

function pause(milliseconds, signal) {
    return new Promise((resolve, reject) => {
        setTimeout(resolve, milliseconds);
        signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")), { once: true });
    });
}

/** Opens the login page, which returns to this address afterwards. */
export function goToLogin() {
    location.replace(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
}

const cache = new Map();

/** Fetches what rarely changes, at most once a minute. Failures are not cached; without a response, the last one counts. */
function cached(path) {
    const entry = cache.get(path);
    if (entry && Date.now() - entry.at < 60_000) return entry.promise;
    const promise = getJSON(path).catch((error) => {
        if (entry) cache.set(path, entry);
        else cache.delete(path);
        if (entry && error.status === 0) return entry.promise;
        throw error;
    });
    cache.set(path, { promise, at: Date.now() });
    return promise;
}

/** What a link shares: the app, the view, and the declarations that its page shows. */
export const sharedView = () => cached("/v1/shared");

/** A list of the collector's, of which the holder of a link gets only what the view shows. */
async function listed(name) {
    return (await (isShared ? sharedView() : cached(`/v1/${name}`)))[name] ?? [];
}

export const session = () => (isShared ? sharedView() : cached("/session"));
export const catalogue = () => listed("reports");
export const campaigns = () => listed("campaigns");
export const categories = () => listed("categories");

/** Fetches the links that share a view. */
export async function shares(signal) {
    return (await getJSON("/v1/shares", signal)).shares;
}

/** The categories as they are declared now, whatever was fetched before. */
export const declaredCategories = async () => (await getJSON("/v1/categories")).categories;

/** The campaigns as they are declared now, archived ones included. */
export const declaredCampaigns = async () => (await getJSON("/v1/campaigns?archived=true")).campaigns;

export const keys = async () => (await getJSON("/v1/keys")).keys;

/** Forgets what was fetched, after a change. */
export function forget() {
    cache.clear();
}
