// The form of a category. PUT /v1/categories takes the whole set, so the form sends the others as they are.

import { declaredCategories, send } from "./api.js";
import { announce, h } from "./dom.js";
import { checkbox, confirmThen, field, input, openForm } from "./form.js";

/** Opens the form of a category; without one, of a new one. `list` is what the page has shown. */
export function editCategory(category, list, done) {
    const id = input(category?.identifier, { required: true, maxlength: 256, disabled: Boolean(category) });
    const dismissals = checkbox(
        "Report dismissals (customDismissAction)", (category?.options ?? ["customDismissAction"]).includes("customDismissAction"),
    );
    const retention = input(category?.text_retention, { placeholder: "app’s default", size: 10 });
    const rows = h("div", { class: "form-rows" });
    const add = (action) => rows.append(actionRow(action));
    (category?.actions ?? []).forEach(add);
    openForm({
        title: category ? `Category ${category.identifier}` : "New category", action: "Save",
        content: h("div", { class: "form-fields" },
            field("Identifier, as payloads carry it", id), dismissals.element,
            field("Keep reply texts for", retention, "such as 90d, or none"),
            h("fieldset", {}, h("legend", {}, "Actions, in the order of the buttons"), rows, h(
                "button", { type: "button", on: { click: () => add({ identifier: "", title: "", options: [] }) } },
                "Add an action",
            ))),
        save: () => {
            const changed = {
                ...category, identifier: id.value, actions: [...rows.children].map((row) => row.read()),
                options: toggled(category?.options ?? [], "customDismissAction", dismissals.box.checked),
                text_retention: retention.value.trim() || undefined,
            };
            if (!category && list.some((one) => one.identifier === id.value)) {
                throw new Error(`The category ${id.value} is declared already.`);
            }
            return putSet(list, [...list.filter((one) => one.identifier !== category?.identifier), changed]);
        },
        done: () => {
            announce("The category is saved.");
            done();
        },
    });
}

/** Asks, and then leaves a category out of the set. */
export function retireCategory(category, list, done) {
    confirmThen({
        title: `Retire ${category.identifier}?`, action: "Retire",
        text: "Devices no longer register it. Its versions are not forgotten, and its events count as before.",
        save: () => putSet(list, list.filter((one) => one !== category)),
        done: () => {
            announce("The category is retired.");
            done();
        },
    });
}

/** Puts the set, unless someone else has changed it since the page showed it. */
async function putSet(shown, next) {
    if (JSON.stringify(await declaredCategories()) !== JSON.stringify(shown)) {
        throw new Error("Someone else has changed the categories meanwhile. Reload the page, and try again.");
    }
    return send("PUT", "/v1/categories", { categories: next.map(declaration) });
}

/** The members that a declaration has; the collector decides about the others, such as the version. */
function declaration({ version, declared_at: declaredAt, ...members }) {
    return members;
}

function toggled(options, option, isOn) {
    const others = options.filter((one) => one !== option);
    return isOn ? [...others, option] : others;
}

function actionRow(action) {
    const id = input(action.identifier, {
        required: true, "aria-label": "Identifier of the action", placeholder: "identifier", maxlength: 256,
    });
    const title = input(action.title, { "aria-label": "Title of the button", placeholder: "title" });
    const goal = checkbox("Goal", action.goal ?? false);
    const text = checkbox("Text", Boolean(action.text_input));
    const destructive = checkbox("Destructive", (action.options ?? []).includes("destructive"));
    const remove = h("button", { type: "button", on: { click: () => row.remove() } }, "Remove");
    const row = h("div", { class: "form-row" }, id, title, goal.element, text.element, destructive.element, remove);
    row.read = () => ({
        ...action, identifier: id.value, title: title.value || undefined, goal: goal.box.checked,
        options: toggled(action.options ?? [], "destructive", destructive.box.checked),
        text_input: text.box.checked ? (action.text_input ?? {}) : undefined,
    });
    return row;
}
