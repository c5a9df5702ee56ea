// The tables of conversion per action and of text replies.

import { columnDescriptions, groupLink, notSet } from "./blocks.js";
import { h, name } from "./dom.js";
import { count, duration } from "./format.js";
import { emptyState } from "./panel.js";
import { endOfAxis, largest, rateBar, rateColumn } from "./rates.js";
import { campaignHref, categoryHref } from "./route.js";
import { numberColumn, table } from "./table.js";

/**
 * A table of `actions`, best first. `groups` and `more` name the group columns before and after the numbers, and `names`
 * has the names of campaigns by their ids.
 */
export function actions(result, groups, more = [], names = new Map()) {
    if (result.rows.length === 0) return emptyState("No actions were offered or tapped in this selection.");
    const descriptions = columnDescriptions(result);
    const groupColumn = (group) => {
        const column = { ...groupColumns[group], description: descriptions[groupColumns[group].key] };
        return group === "campaign" ? { ...column, cell: (row) => campaignLink(row.campaign_id, names) } : column;
    };
    const rows = [...result.rows].sort((left, right) => (right.conversion ?? -1) - (left.conversion ?? -1));
    return table({
        caption: "Conversion per action", rows,
        columns: [
            {
                label: "Action",
                value: (row) => row.title ?? row.action_id,
                cell: actionName, class: "group", description: descriptions.action_id,
            },
            ...groups.map(groupColumn),
            { ...rateColumn("Conversion", rows, "conversion", descriptions.conversion), cell: conversionCell(rows) },
            {
                label: "Offered", numeric: true,
                value: (row) => row.offered_n,
                cell: (row) => row.declared ? count(row.offered_n) : "–",
                description: descriptions.offered_n,
            },
            numberColumn("Acted", "acted", count, descriptions.acted),
            numberColumn("Median time", "p50_seconds", duration, descriptions.p50_seconds),
            ...more.map(groupColumn),
        ],
    });
}

const groupColumns = {
    variant: { key: "variant", label: "Variant", value: (row) => row.variant, cell: (row) => groupText(row.variant) },
    campaign: {
        key: "campaign_id", label: "Campaign",
        value: (row) => row.campaign_id,
    },
    category: {
        key: "category_id", label: "Category",
        value: (row) => row.category_id,
        cell: (row) => groupLink(row.category_id, categoryHref),
    },
    version: {
        key: "category_version", label: "Version", numeric: true, value: (row) => row.category_version,
        cell: (row) => row.category_version === null ? "–" : count(row.category_version),
    },
};

function campaignLink(id, names) {
    return groupLink(id, campaignHref, names.get(id) || id);
}

function groupText(text) {
    return text === null ? notSet() : name(text);
}

/** The name of an action, with its identifier below a title. */
export function actionName(row) {
    const title = row.title ?? row.action_id;
    return h(
        "div", {},
        name(title),
        row.title && row.title !== row.action_id ? h("div", { class: "muted small" }, name(row.action_id)) : null,
    );
}

/** Shows the rate. A tap on an action that the delivery's category version did not offer has none. */
function conversionCell(rows) {
    const end = endOfAxis(largest(rows, "conversion"));
    return (row) => row.declared
        ? rateBar(row, "conversion", end)
        : h(
            "span", { class: "badge warn", title: "The delivery’s category version did not include this action" },
            "not offered",
        );
}

/** A table of `replies`: each answer and how often it was given. */
export function replies(result) {
    if (result.rows.length === 0) return emptyState("No text replies in this selection.");
    const descriptions = columnDescriptions(result);
    const { rows } = result;
    return table({
        caption: "Replies", rows, sort: null,
        columns: [
            {
                label: "Answer",
                value: (row) => row.answer,
                cell: answer, class: "answer", description: descriptions.answer,
            },
            rateColumn("Share", rows, "share", descriptions.share),
            numberColumn("Deliveries", "deliveries", count, descriptions.deliveries),
            {
                label: "Action",
                value: (row) => row.action_id,
                cell: (row) => name(row.action_id),
                description: descriptions.action_id,
            },
        ],
    });
}

function answer(row) {
    return row.answer === null
        ? h("span", { class: "muted" }, "all others: rare, or text not stored")
        : h("q", { dir: "auto" }, row.answer);
}
