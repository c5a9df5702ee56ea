// Small menus: a button that shows a list of actions below it.

import { h } from "./dom.js";

let openMenu = null;

/**
 * A button and its list. `items()` makes a new list each time: `{ title, run }`, `{ title, href }`, `{ heading }` or
 * nodes. `name` is the button's accessible name, `label` what it shows.
 */
export function menu({ name, label, items, className = "" }) {
    const list = h("div", { class: "menu-list", hidden: true });
    const button = h("button", {
        type: "button", class: "menu-button", "aria-label": name === label ? null : name, "aria-expanded": "false",
        on: { click: () => (list.hidden ? open() : close(true)) },
    }, label);
    const whole = h("div", { class: `menu ${className}`.trim(), on: { keydown: move } }, button, list);

    function open() {
        openMenu?.();
        list.replaceChildren(...items().map((item) => entry(item, close)));
        list.hidden = false;
        button.setAttribute("aria-expanded", "true");
        place();
        openMenu = close;
        list.querySelector("a, button")?.focus();
    }

    function close(takesFocus = false) {
        list.hidden = true;
        button.setAttribute("aria-expanded", "false");
        if (openMenu === close) openMenu = null;
        if (takesFocus) button.focus();
    }

    /** Keeps the list within the window. */
    function place() {
        list.classList.remove("at-left");
        if (list.getBoundingClientRect().left < 8) list.classList.add("at-left");
    }

    function move(event) {
        if (list.hidden) return;
        const all = [...list.querySelectorAll("a, button")];
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step) {
            event.preventDefault();
            all.at((all.indexOf(document.activeElement) + step) % all.length)?.focus();
        } else if (event.key === "Escape") {
            event.stopPropagation();
            close(true);
        }
    }

    return whole;
}

function entry(item, close) {
    if (item instanceof Node) return item;
    if (item.heading) return h("p", { class: "menu-heading" }, item.heading);
    if (item.href) return h("a", { href: item.href, on: { click: () => close() } }, item.title);
    return h("button", {
        type: "button", on: {
            click: (event) => {
                event.stopPropagation();
                close(true);
                item.run();
            },
        },
    }, item.title);
}

document.addEventListener("click", (event) => {
    if (!event.target.closest?.(".menu")) openMenu?.();
});
document.addEventListener("focusin", (event) => {
    if (!event.target.closest?.(".menu")) openMenu?.();
});
