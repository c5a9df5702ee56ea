// A stream of server-sent events that reconnects with increasing delays, and reports its state.

const maxDelaySeconds = 15;
const silenceMilliseconds = 10_000;

/**
 * Stays connected until `signal` aborts. `on` has `open()`, `summary(object)`, `lost(seconds)` with the delay until the
 * next attempt, and `refused()` for a response that is not a stream.
 */
export function connect(path, signal, on) {
    let wait = 1;
    let source = null;
    let timer = null;

    function open() {
        source = new EventSource(path);
        source.onopen = () => {
            wait = 1;
            restartTimer();
            on.open();
        };
        source.onmessage = receive;
        source.onerror = fail;
    }

    function receive(event) {
        restartTimer();
        on.summary(JSON.parse(event.data));
    }

    /** Reconnects here, because the browser does not do so in all cases, and does not say when. */
    function fail() {
        const isRefused = source.readyState === EventSource.CLOSED;
        source.close();
        clearTimeout(timer);
        if (isRefused) on.refused();
        on.lost(wait);
        timer = setTimeout(open, wait * 1000);
        wait = Math.min(maxDelaySeconds, wait * 2);
    }

    /** Treats a connection that is silent for too long as lost. */
    function restartTimer() {
        clearTimeout(timer);
        timer = setTimeout(fail, silenceMilliseconds);
    }

    signal.addEventListener("abort", () => {
        clearTimeout(timer);
        source?.close();
    });
    open();
}
