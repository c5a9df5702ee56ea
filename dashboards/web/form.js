// Forms in dialogs: their fields, the error that the collector answers, and questions to confirm.

import { h } from "./dom.js";

/** A labelled control. `hint` is shown below it. */
export function field(label, control, hint = null) {
    return h("label", { class: "field" }, h("span", {}, label), control, hint ? h("span", { class: "hint" }, hint) : null);
}

/** A checkbox with its label. */
export function checkbox(label, isOn, attributes = {}) {
    const box = h("input", { type: "checkbox", checked: isOn, ...attributes });
    return { box, element: h("label", { class: "check" }, box, h("span", {}, label)) };
}

export function input(value, attributes = {}) {
    return h("input", { type: "text", value: value ?? "", autocomplete: "off", spellcheck: "false", ...attributes });
}

export function select(options, value) {
    const element = h("select", {}, options.map(([id, text]) => h("option", { value: id }, text)));
    element.value = value;
    return element;
}

/**
 * Opens a form in a dialog. `save` sends it; if it throws, the form stays and says why, in the collector's own words.
 * `fields` are controls by the names that the collector has for them, instead of which the form says their labels.
 * `done` is called with the result of `save`, after the dialog has closed. `danger` marks what can't be undone.
 */
export function openForm({ title, content, action, danger = false, fields = {}, save, done }) {
    const error = h("p", { class: "error", role: "alert", hidden: true });
    const submit = h("button", { type: "submit", class: danger ? "danger" : "primary" }, action);
    const cancel = h("button", { type: "button", on: { click: () => dialog.close() } }, "Cancel");
    const form = h(
        "form", { method: "dialog", novalidate: true },
        h("h2", { id: "dialog-title" }, title), content, error, h("div", { class: "dialog-buttons" }, cancel, submit),
    );
    const dialog = openDialog(form);
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        error.hidden = true;
        submit.disabled = true;
        try {
            expectFilled(form);
            const result = await save();
            dialog.close();
            done(result);
        } catch (problem) {
            error.textContent = inWordsOf(fields, problem.message);
            error.hidden = false;
            error.scrollIntoView({ block: "nearest" });
            submit.disabled = false;
        }
    });
    // The safe button, so that Enter alone does no harm.
    if (danger) cancel.focus();
    return dialog;
}

/** Throws if a required control is empty, and moves the focus there. */
function expectFilled(form) {
    const empty = [...form.elements].find((control) => control.required && control.value.trim() === "");
    if (empty) throw new Error(`“${pointOut(empty)}” is missing.`);
}

/** The message; if it begins with a name of a field, such as `campaign.holdout`, with the field's label instead. */
function inWordsOf(fields, message) {
    const [start, name] = /^(?:\w+\.)?(\w+) /.exec(message) ?? [];
    return fields[name] ? `“${pointOut(fields[name])}” ${message.slice(start.length)}` : message;
}

/** Moves the focus to a control, and returns its label. */
function pointOut(control) {
    control.closest("details")?.setAttribute("open", "");
    control.focus();
    return control.ariaLabel ?? control.closest("label").querySelector("span").textContent.split(",")[0];
}

/** Opens a dialog, which is removed from the page when it closes. */
export function openDialog(...content) {
    const dialog = h("dialog", { "aria-labelledby": "dialog-title" }, content);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}

/** Asks once whether to do what can't be undone. */
export function confirmThen({ title, text, action, save, done }) {
    openForm({ title, content: h("p", {}, text), action, danger: true, save, done });
}
