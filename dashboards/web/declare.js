// The page where campaigns, categories and keys are declared. A session with a key of scope manage can change them.

import { campaigns, categories, forget, session } from "./api.js";
import { groupLink, pageHead } from "./blocks.js";
import { editCampaign } from "./campaignform.js";
import { editCategory, retireCategory } from "./categoryform.js";
import { h, name } from "./dom.js";
import { isMissing, none, time } from "./format.js";
import { keysPanel } from "./keys.js";
import { emptyState, panel } from "./panel.js";
import { campaignHref, categoryHref, refresh } from "./route.js";
import { table } from "./table.js";

function render() {
    const note = h("p", { class: "about" });
    const head = pageHead("Declare", {
        about: "Tell Afterpush what you send, and reports say more. Whatever is declared later counts for earlier events, too.",
        more: note,
    });
    const about = session();
    about.then(({ scope }) => {
        note.textContent = scope === "manage"
            ? "" : `You are logged in with a ${scope} key. Log in with a manage key to change anything here.`;
    }, () => {});
    return [
        head,
        part("Campaigns", "declared-campaigns", async () => [await campaigns(), await categories(), await about], showCampaigns),
        part("Categories", "declared-categories", async () => [await categories(), await about], showCategories),
        keysPanel(about),
    ];
}

function part(title, id, load, draw) {
    return panel({ title, id, load, render: draw });
}

/** Shows the page again with what is declared now. */
function saved() {
    forget();
    refresh();
}

function button(text, label, click, level = "small-button") {
    return h("button", { type: "button", class: level, "aria-label": label, on: { click } }, text);
}

function showCampaigns([list, known, { scope }]) {
    const canEdit = scope === "manage";
    const add = canEdit
        ? h("div", { class: "buttons-row" },
            button("New campaign", null, () => editCampaign(null, known, saved), "primary"))
        : null;
    if (list.length === 0) return [emptyState("No campaign is declared yet."), add];
    return [table({
        caption: "Declared campaigns", rows: list,
        columns: [
            {
                label: "Campaign", value: (row) => row.name, class: "group",
                cell: (row) => [
                    groupLink(row.id, campaignHref, row.name), h("div", { class: "muted small" }, name(row.id)),
                    canEdit ? button("Edit", `Edit ${row.name}`, () => editCampaign(row, known, saved)) : null,
                ],
            },
            { label: "Category", value: (row) => row.category_id ?? "", cell: (row) => groupLink(row.category_id, categoryHref) },
            {
                label: "Variants", value: (row) => row.variants.length,
                cell: (row) => (row.variants.length ? name(row.variants.map(variantText).join(", ")) : none),
            },
            {
                label: "Goals", value: (row) => row.goal_actions.length,
                cell: (row) => (row.goal_actions.length ? name(row.goal_actions.join(", ")) : none),
            },
            { label: "Response window", value: (row) => row.response_window },
        ],
    }), add];
}

function variantText(variant) {
    return `${variant.id}${variant.control ? " (control)" : ""}${variant.weight === 1 ? "" : ` ×${variant.weight}`}`;
}

function showCategories([list, { scope }]) {
    const canEdit = scope === "manage";
    const add = canEdit
        ? h("div", { class: "buttons-row" }, button("New category", null, () => editCategory(null, list, saved), "primary"))
        : null;
    if (list.length === 0) return [emptyState("No category is declared yet."), add];
    return [table({
        caption: "Declared categories", rows: list,
        columns: [
            {
                label: "Category", value: (row) => row.identifier, class: "group",
                cell: (row) => [groupLink(row.identifier, categoryHref), canEdit ? h("div", { class: "row-buttons" },
                    button("Edit", `Edit ${row.identifier}`, () => editCategory(row, list, saved)),
                    button("Retire", `Retire ${row.identifier}`, () => retireCategory(row, list, saved))) : null],
            },
            { label: "Version", numeric: true, value: (row) => row.version },
            {
                label: "Actions", value: (row) => row.actions.length,
                cell: (row) => (row.actions.length ? row.actions.map(actionText) : none),
            },
            { label: "Reply texts", value: (row) => row.text_retention ?? "", cell: (row) => row.text_retention ?? "app’s default" },
            {
                label: "Declared", value: (row) => row.declared_at ?? "",
                cell: (row) => (isMissing(row.declared_at) ? none : time(row.declared_at)),
            },
        ],
    }), add];
}

function actionText(action) {
    return h("div", {}, name(action.title), action.goal ? h("span", { class: "badge good" }, "goal") : null,
        action.text_input ? h("span", { class: "badge" }, "text") : null);
}

export default { title: () => "Declare", filters: [], render };
