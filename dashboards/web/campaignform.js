// The form of a campaign. It sends PUT /v1/campaigns/{id}, and shows the collector's errors.

import { declaredCampaigns, send } from "./api.js";
import { announce, h } from "./dom.js";
import { checkbox, field, input, openForm, select } from "./form.js";

/** Opens the form of a campaign; without one, of a new one. */
export function editCampaign(campaign, categories, done) {
    const id = input(campaign?.id, { required: true, maxlength: 256, disabled: Boolean(campaign) });
    const title = input(campaign?.name, { maxlength: 256 });
    const category = select(
        [["", "none"], ...withOwn(categories.map((one) => one.identifier), campaign?.category_id).map((one) => [one, one])],
        campaign?.category_id ?? "",
    );
    const variants = variantList(campaign?.variants ?? []);
    const goals = goalList(campaign?.goal_actions ?? [], categories, category);
    const response = input(campaign?.response_window ?? "72h", { size: 8 });
    const ownWindow = campaign?.conversion_window !== campaign?.response_window ? campaign?.conversion_window : "";
    const conversion = input(ownWindow, { size: 8, placeholder: "as above" });
    const starts = input(campaign?.starts_at, { placeholder: "2026-12-01T09:00:00Z" });
    const planned = input(campaign?.planned_deliveries, { inputmode: "numeric", size: 10 });
    const effect = input(campaign?.minimum_effect, { inputmode: "decimal", size: 8 });
    const holdout = input(campaign?.holdout, { inputmode: "decimal", size: 8 });
    const archived = checkbox("Archived: not listed any more; its events still count", campaign?.archived ?? false);
    openForm({
        title: campaign ? `Campaign ${campaign.id}` : "New campaign", action: "Save",
        content: h("div", { class: "form-fields" },
            field("Id, as payloads carry it", id), field("Name for people", title), field("Category", category),
            variants.element, goals.element,
            h("div", { class: "pair" }, field("Response window", response, "such as 90m, 72h or 7d"),
                field("Conversion window", conversion)),
            h("details", {}, h("summary", {}, "Start, plan and holdout"), h("div", { class: "form-fields" },
                field("Starts at", starts),
                h("div", { class: "pair" }, field("Planned deliveries", planned, "of a variant and the control"),
                    field("Smallest difference that matters", effect, "of rates, such as 0.01")),
                field("Share held out", holdout, "such as 0.05"))),
            campaign ? archived.element : null),
        fields: {
            id, name: title, response_window: response, conversion_window: conversion, starts_at: starts,
            planned_deliveries: planned, minimum_effect: effect, holdout,
        },
        save: async () => {
            if (!campaign) await expectNew(id.value);
            const body = {
                name: title.value || undefined, category_id: category.value || null, variants: variants.read(),
                goal_actions: goals.read(), response_window: response.value || undefined,
                conversion_window: conversion.value || undefined, starts_at: starts.value || undefined,
                planned_deliveries: number(planned), minimum_effect: number(effect), holdout: number(holdout),
                archived: archived.box.checked,
            };
            return send("PUT", `/v1/campaigns/${encodeURIComponent(id.value)}`, body);
        },
        done: () => {
            announce("The campaign is saved.");
            done();
        },
    });
}

/** Throws if the campaign is declared: a PUT would replace what is declared. */
async function expectNew(id) {
    const found = (await declaredCampaigns()).find((one) => one.id === id);
    if (found) throw new Error(`The campaign ${id} is declared already${found.archived ? ", and archived" : ""}.`);
}

/** Returns the text as a number, or unchanged if it is no number: then the collector says what is wrong. */
function number(control) {
    const text = control.value.trim();
    if (text === "") return undefined;
    return Number.isNaN(Number(text)) ? text : Number(text);
}

function withOwn(list, own) {
    return own && !list.includes(own) ? [...list, own] : list;
}

function variantList(variants) {
    const rows = h("div", { class: "form-rows" });
    const add = (variant) => rows.append(variantRow(variant));
    variants.forEach(add);
    const element = h("fieldset", {}, h("legend", {}, "Variants"), rows, h(
        "button", { type: "button", on: { click: () => add({ id: "", weight: 1, control: false }) } }, "Add a variant",
    ));
    const read = () => [...rows.children].map((row) => row.read());
    return { element, read };
}

function variantRow(variant) {
    const id = input(variant.id, {
        required: true, "aria-label": "Id of the variant", placeholder: "id", maxlength: 256,
    });
    const weight = input(variant.weight, { "aria-label": "Weight of the variant", inputmode: "decimal", size: 4 });
    const control = checkbox("Control", variant.control);
    const remove = h("button", { type: "button", on: { click: () => row.remove() } }, "Remove");
    const row = h("div", { class: "form-row" }, id, weight, control.element, remove);
    row.read = () => ({ id: id.value, weight: number(weight), control: control.box.checked });
    return row;
}

/** The goals: the actions of the chosen category, and others by their identifier. */
function goalList(goals, categories, category) {
    const place = h("div", { class: "checks" });
    const others = input("", { placeholder: "other identifiers, separated by commas" });
    let chosen = new Set(goals);
    const draw = () => {
        const actions = categories.find((one) => one.identifier === category.value)?.actions ?? [];
        const known = new Set(actions.map((action) => action.identifier));
        place.replaceChildren(...actions.map((action) => {
            const { box, element } = checkbox(action.title, chosen.has(action.identifier), { value: action.identifier });
            box.addEventListener("change", () => (box.checked ? chosen.add(box.value) : chosen.delete(box.value)));
            return element;
        }));
        others.value = [...chosen].filter((goal) => !known.has(goal)).join(", ");
    };
    const read = () => {
        const typed = others.value.split(",").map((text) => text.trim()).filter(Boolean);
        const boxes = [...place.querySelectorAll("input:checked")].map((box) => box.value);
        return [...new Set([...boxes, ...typed])];
    };
    category.addEventListener("change", () => {
        chosen = new Set(read());
        draw();
    });
    draw();
    return {
        element: h("fieldset", {}, h("legend", {}, "Goals: actions that count as conversions"), place,
            field("Other goal actions", others, "the goals of the category count as well")), read,
    };
}
