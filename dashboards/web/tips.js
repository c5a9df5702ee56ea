// Tooltips that explain a column or number on hover and focus; Escape hides them.

import { h, prose } from "./dom.js";

let owner = null;

/** Shows `lines` while `element` has the pointer or the focus. The element must be focusable. */
export function explain(element, lines) {
    const texts = lines.filter(Boolean);
    if (texts.length === 0) return element;
    const open = () => show(element, texts);
    element.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && open());
    element.addEventListener("pointerleave", () => document.activeElement !== element && hide(element));
    element.addEventListener("focus", open);
    element.addEventListener("blur", () => hide(element));
    return element;
}

/** A small button with a tooltip. */
export function help(subject, lines) {
    const button = h("button", { class: "help", type: "button", "aria-label": `About ${subject}` }, "?");
    return explain(button, lines);
}

/** The lines that describe a column: the metric's definition if there is one, else the column's description. */
export function columnDescription(column, definition) {
    if (!definition) return [column.description];
    const lines = [definition.definition];
    if (definition.numerator) lines.push(`${definition.numerator} ÷ ${definition.denominator}`);
    if (definition.window) lines.push(`Counted: ${definition.window}.`);
    return lines;
}

function show(element, texts) {
    const tip = document.getElementById("tip");
    owner = element;
    tip.replaceChildren(...texts.map((text) => h("p", {}, prose(text))));
    tip.hidden = false;
    element.setAttribute("aria-describedby", "tip");
    place(tip, element.getBoundingClientRect());
}

/** Places the tooltip below the element if there is room, else above it, within the window. */
function place(tip, box) {
    const margin = 8;
    const left = Math.min(box.left, innerWidth - tip.offsetWidth - margin);
    const below = box.bottom + margin / 2;
    const fits = below + tip.offsetHeight + margin <= innerHeight;
    tip.style.setProperty("left", `${Math.max(margin, left)}px`);
    tip.style.setProperty("top", `${fits ? below : Math.max(margin, box.top - tip.offsetHeight - margin / 2)}px`);
}

/** Moves the tooltip along, because focus may have scrolled the page. */
function follow() {
    if (owner) place(document.getElementById("tip"), owner.getBoundingClientRect());
}

/** Hides the tooltip, before the page changes. */
export function hideTip() {
    if (owner) hide(owner);
}

function hide(element) {
    if (owner !== element) return;
    element.removeAttribute("aria-describedby");
    document.getElementById("tip").hidden = true;
    owner = null;
}

document.addEventListener("keydown", (event) => event.key === "Escape" && hideTip());
document.addEventListener("scroll", follow, { capture: true, passive: true });
