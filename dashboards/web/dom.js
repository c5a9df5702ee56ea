// Creates elements. Text always becomes a text node, so data can't become markup.

import { isShared } from "./shared.js";

const svg = "http://www.w3.org/2000/svg";
const svgTags = new Set(["svg", "path", "line", "rect", "circle"]);

/**
 * Creates an element. `on` holds listeners. `style` is set through CSSOM, because the content security policy forbids
 * style attributes. Attributes and children that are null or false are left out.
 */
export function h(tag, attributes = {}, ...children) {
    if (isShared && isOtherPage(tag, attributes)) return h("span", { class: attributes.class }, ...children);
    const element = svgTags.has(tag) ? document.createElementNS(svg, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === null || value === undefined || value === false) continue;
        if (name === "on") listen(element, value);
        else if (name === "style") restyle(element, value);
        else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter(isThere));
    return element;
}

/** Whether it links to another page: whoever has a link to one view can open no other. */
function isOtherPage(tag, attributes) {
    return tag === "a" && /^[/?]/.test(attributes?.href ?? "");
}

function isThere(child) {
    return child !== null && child !== undefined && child !== false;
}

function listen(element, listeners) {
    for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener);
}

function restyle(element, properties) {
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value);
}

/** Text from the data, isolated so that its writing direction does not affect its surroundings. */
export function name(text, attributes = {}) {
    return h("bdi", { class: "name", ...attributes }, text);
}

/** Turns a description into nodes: text between backticks becomes code. */
export function prose(text) {
    return text.split("`").map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part));
}

/** Text for screen readers only. */
export function hidden(text) {
    return h("span", { class: "visually-hidden" }, text);
}

/** Announces a text to screen readers. */
export function announce(text) {
    document.getElementById("announcer").textContent = text;
}
