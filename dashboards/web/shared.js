// A link that shares one view: its token, and what the collector says of the view.

/** Whether this is the page of such a link. */
export const isShared = location.pathname === "/shared";

/**
 * The headers that authenticate a request. The token is in the fragment, which the browser sends to nobody, and no cookie
 * comes of it: whoever has a session of their own keeps it, and nobody gets one.
 */
export const credentials = isShared ? { Authorization: `Bearer ${location.hash.slice(1)}` } : {};

if (isShared) addEventListener("hashchange", () => location.reload());
