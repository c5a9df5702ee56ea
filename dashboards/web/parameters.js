// The form for a report's own parameters, built from their definitions.

import { h } from "./dom.js";
import { words } from "./format.js";
import { explain } from "./tips.js";

/** What parameters and their values are called, where their names say too little. */
const labels = {
    by: "Group by", base: "Base of rates", min_n: "Fewest for a rate", fewest: "Fewest for a text", top: "Most frequent",
    cluster: "Clusters", local: "Hours of", tz: "The time zone", device: "Each device",
};

function label(name) {
    return labels[name] ?? words(name);
}

/** The id of the control that was changed: it gets the focus back when the form has been rebuilt. */
let changed = null;

/** The form. `change` is called with `{ name: value }`; an empty value means the default. */
export function parameterForm(parameters, query, change) {
    const controls = parameters.map((parameter) => control(parameter, query.get(parameter.name) ?? "", change));
    requestAnimationFrame(() => {
        document.getElementById(changed)?.focus();
        changed = null;
    });
    return h(
        "form", {
            class: "panel parameters", "aria-label": "Parameters of this report",
            on: { submit: (event) => event.preventDefault() },
        },
        h("div", { class: "filter-row" }, controls),
    );
}

function control(parameter, value, change) {
    const id = `parameter-${parameter.name}`;
    const send = (text) => {
        changed = document.activeElement?.id || id;
        change({ [parameter.name]: text === parameter.default ? "" : text });
    };
    const input = inputFor(parameter, value, send);
    (input.matches("fieldset") ? input.querySelector("select") : input).id = id;
    const element = h("label", { class: parameter.type === "boolean" ? "check" : "field" });
    const title = h("span", {}, label(parameter.name));
    element.append(...(parameter.type === "boolean" ? [input, title] : [title, input]));
    explain(input.matches("fieldset") ? input.querySelector("select") : input, [parameter.description]);
    return input.matches("fieldset") ? input : element;
}

function inputFor(parameter, value, send) {
    if (parameter.type === "boolean") {
        const isOn = (value || parameter.default) === "true";
        return h(
            "input", { type: "checkbox", checked: isOn, on: { change: (event) => send(String(event.target.checked)) } },
        );
    }
    if (parameter.type === "list") return lists(parameter, value, send);
    if (parameter.values.length > 0) return select(
        parameter.values, value || parameter.default,
        (event) => send(event.target.value), parameter.default === "" ? "none" : null,
    );
    const type = parameter.type === "integer" ? "number" : "text";
    return h(
        "input",
        {
            type, value, placeholder: parameter.default || "any",
            on: { change: (event) => send(event.target.value.trim()) },
        },
    );
}

function select(values, value, onChange, empty = null) {
    const options = empty === null ? values : ["", ...values];
    const element = h("select", { on: { change: onChange } },
        options.map((option) => h("option", { value: option }, option === "" ? empty : label(option))));
    element.value = value;
    return element;
}

/** A choice of up to two values; the second select appears once the first has a value. */
function lists(parameter, value, send) {
    const [first = "", second = ""] = value.split(",");
    const one = select(parameter.values, first, () => send(joined()), "none");
    const two = select(
        parameter.values.filter((option) => option !== first),
        second,
        () => send(joined()),
        "none",
    );
    two.id = `parameter-${parameter.name}-second`;
    const joined = () => [one.value, one.value && one.value !== two.value ? two.value : ""].filter(Boolean).join(",");
    return h(
        "fieldset", { class: "pair" },
        h("legend", { class: "visually-hidden" }, `${label(parameter.name)}: ${parameter.description}`),
        h("label", { class: "field" }, h("span", {}, label(parameter.name)), one),
        first && parameter.values.length > 1 ? h("label", { class: "field" }, h("span", {}, "and"), two) : null,
    );
}
