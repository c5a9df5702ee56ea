// Makes elements. What is given as text becomes a text node, so nothing from the data can become markup.

const svg = "http://www.w3.org/2000/svg";
const svgTags = new Set(["svg", "path", "line", "rect", "circle"]);

/**
 * An element. `on` holds listeners, `style` goes through CSSOM (the page's policy forbids style attributes);
 * attributes and children that are null or false are left out.
 */
export function h(tag, attributes = {}, ...children) {
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

function isThere(child) {
    return child !== null && child !== undefined && child !== false;
}

function listen(element, listeners) {
    for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener);
}

function restyle(element, properties) {
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value);
}

/** Text from the data: kept apart from what surrounds it, whichever way it is written. */
export function name(text, attributes = {}) {
    return h("bdi", { class: "name", ...attributes }, text);
}

/** A description: what stands between backticks is code. */
export function prose(text) {
    return text.split("`").map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part));
}

/** Text for those who hear the page. */
export function hidden(text) {
    return h("span", { class: "visually-hidden" }, text);
}

/** Says something to those who hear the page, once. */
export function announce(text) {
    document.getElementById("announcer").textContent = text;
}
