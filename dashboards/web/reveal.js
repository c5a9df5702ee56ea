// Shows a page from top to bottom: what is below a part that still loads appears once that part has its final size. So
// nothing moves while it is being read.

/** After this time, everything is shown, even if a part above it still loads. */
const patienceMilliseconds = 4000;

let timer = null;

/** Starts with a new page. Parts say that they have loaded with the event "loaded", which bubbles. */
export function revealInOrder(main, footer) {
    clearTimeout(timer);
    main.hidden = false;
    footer.hidden = false;
    const update = () => reveal(main, footer);
    const finish = () => {
        main.removeEventListener("loaded", update);
        clearTimeout(timer);
        showAll(main, footer);
    };
    main.addEventListener("loaded", update);
    timer = setTimeout(finish, patienceMilliseconds);
    main.dispatchEvent(new Event("loaded"));
}

/** Hides what is below the first part that loads, except beside it. */
function reveal(main, footer) {
    const parts = [...main.querySelectorAll(".page-head, .panel"), footer];
    const pending = parts.findIndex((part) => isLoading(part));
    const isWaiting = pending >= 0;
    const top = isWaiting ? parts[pending].getBoundingClientRect().top : 0;
    parts.forEach((part, index) => {
        const isBelow = isWaiting && index > pending && part.getBoundingClientRect().top > top + 1;
        part.classList.toggle("later", isBelow || (index === pending && part.classList.contains("whole")));
    });
    for (const group of main.querySelectorAll(".columns, .stack")) {
        const inside = [...group.querySelectorAll(".panel")];
        group.classList.toggle("later", inside.length > 0 && inside.every((part) => part.classList.contains("later")));
    }
}

/** Whether a part can still change its height. One with content from before keeps it until the new one is there. */
function isLoading(part) {
    return part.getAttribute("aria-busy") === "true" && !part.classList.contains("kept")
        && !part.classList.contains("flexible");
}

function showAll(main, footer) {
    for (const part of [...main.querySelectorAll(".later"), footer]) part.classList.remove("later");
}
