// A stream of server-sent events that connects again by itself, later each time, and says so.

const longest = 15;
const silence = 10_000;

/**
 * Connects until `signal` ends it. `on` has `open()`, `summary(object)`, `lost(seconds)` with the wait until the next
 * attempt, and `refused()` where the server answered with something else than a stream.
 */
export function connect(path, signal, on) {
    let wait = 1;
    let source = null;
    let timer = null;

    function open() {
        source = new EventSource(path);
        source.onopen = () => {
            wait = 1;
            watch();
            on.open();
        };
        source.onmessage = take;
        source.onerror = fail;
    }

    function take(event) {
        watch();
        on.summary(JSON.parse(event.data));
    }

    /** The browser would connect again by itself, but not in all cases, and it does not say when. */
    function fail() {
        const isRefused = source.readyState === EventSource.CLOSED;
        source.close();
        clearTimeout(timer);
        if (isRefused) on.refused();
        on.lost(wait);
        timer = setTimeout(open, wait * 1000);
        wait = Math.min(longest, wait * 2);
    }

    /** A connection that is silent for long is gone, though nobody said so. */
    function watch() {
        clearTimeout(timer);
        timer = setTimeout(fail, silence);
    }

    signal.addEventListener("abort", () => {
        clearTimeout(timer);
        source?.close();
    });
    open();
}
