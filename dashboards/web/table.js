// Tables that can be sorted by any column and show long results in parts.

import { h } from "./dom.js";
import { isMissing } from "./format.js";
import { rateAxis } from "./rates.js";
import { explain } from "./tips.js";

const pageSize = 100;
const collator = new Intl.Collator(undefined, { numeric: true });

/** A numeric column that shows one field of the rows; `format` makes its text. */
export function numberColumn(label, field, format, description) {
    return { label, description, numeric: true, value: (row) => row[field], cell: (row) => format(row[field]) };
}

/**
 * A table. A column has `label`, `value(row)` to sort by, and `cell(row)` to show, by default the value. `numeric`
 * columns are right-aligned and sort the largest first. `description` is shown on hover and focus. `sort` is the column
 * by which the rows are already sorted, as `{ index, descending }`, or null. The first column is the row's header, and
 * stays in view, as do those with `sticky`. `axis` is the end of the axis of a column of bars.
 */
export function table({ caption, columns, rows, sort = null, empty = "No rows." }) {
    const state = { rows: [...rows], sort, shown: pageSize };
    const body = h("tbody", { on: { click: followRow } });
    const more = h("button", { type: "button", class: "more", on: { click: () => showMore() } });
    const heads = columns.map((column, index) => head(column, () => sortBy(index)));

    function sortBy(index) {
        const descending =
            state.sort?.index === index ? !state.sort.descending : isLargestFirst(columns[index]);
        state.sort = { index, descending };
        state.rows = sorted(rows, columns[index].value, descending);
        draw();
    }

    function showMore() {
        state.shown += pageSize * 5;
        draw();
    }

    function draw() {
        const visible = state.rows.slice(0, state.shown);
        body.replaceChildren(...visible.map((row) => line(row, columns)));
        if (rows.length === 0) body.append(h(
            "tr", {},
            h("td", { colspan: columns.length, class: "empty-row" }, empty),
        ));
        heads.forEach((cell, index) => markSorted(cell, state.sort?.index === index ? state.sort.descending : null));
        more.hidden = visible.length >= rows.length;
        more.textContent = `Show more rows (${visible.length} of ${rows.length} shown)`;
    }

    draw();
    const element = h(
        "table", {},
        h("caption", { class: "visually-hidden" }, caption),
        h("thead", {}, h("tr", {}, heads)),
        body,
    );
    if (columns.some((column) => column.sticky)) keepInView(element);
    return h("div", {}, scroller(element, caption), more);
}

/** The share of a table's window that sticky columns may take, so that there is room for the others. */
const mostSticky = 0.6;

/** Places the second sticky column beside the first one, however wide it is; where both leave no room, only the first stays. */
function keepInView(element) {
    const watch = new ResizeObserver(() => {
        if (!element.isConnected) return;
        const [first, second] = element.tHead.rows[0].cells;
        element.style.setProperty("--first", `${first.offsetWidth}px`);
        const room = element.parentElement.clientWidth * mostSticky;
        element.classList.toggle("first-stays", first.offsetWidth + second.offsetWidth > room);
    });
    watch.observe(element);
}

/** Lets a wide table scroll, with the keyboard too. */
function scroller(element, label) {
    return h("div", { class: "scroller", role: "region", "aria-label": `Table: ${label}`, tabindex: "0" }, element);
}

/** Follows the link in the head of a row when the rest of the row is clicked, unless text is being selected. */
function followRow(event) {
    if (event.defaultPrevented || event.target.closest("a, button, summary, input") || String(getSelection())) return;
    const link = event.target.closest("tr")?.querySelector(":scope > th a[href]");
    link?.dispatchEvent(new MouseEvent("click", {
        bubbles: true, cancelable: true, ctrlKey: event.ctrlKey, metaKey: event.metaKey, shiftKey: event.shiftKey,
    }));
}

function head(column, onSort) {
    const button = h("button", { type: "button", class: "sort", on: { click: onSort } }, column.label);
    explain(button, column.description ?? []);
    const classes = [
        column.numeric ? "numeric" : "", column.axis ? "rate-cell" : "", column.sticky ? "sticky" : "",
        column.class === "wide" ? "wide" : "",
    ];
    return h(
        "th", { scope: "col", class: classes.join(" ").trim() || null, "data-column": column.name ?? null },
        button, column.axis ? rateAxis(column.axis) : null,
    );
}

/** Marks the sorted column; `descending` is null for the others. */
function markSorted(cell, descending) {
    if (descending === null) cell.removeAttribute("aria-sort");
    else cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
}

function line(row, columns) {
    return h("tr", {}, columns.map((column, index) => cell(row, column, index === 0)));
}

function cell(row, column, isFirst) {
    const content = column.cell ? column.cell(row) : column.value(row);
    const classes = [column.numeric ? "numeric" : "", column.class ?? "", column.sticky ? "sticky" : ""];
    const attributes = { class: classes.filter(Boolean).join(" ") || null };
    if (!isFirst) return h("td", attributes, content);
    return h("th", { scope: "row", ...attributes }, content);
}

/** Sorts the rows. Missing values come last in either direction. */
function sorted(rows, value, descending) {
    const direction = descending ? -1 : 1;
    return [...rows].sort((left, right) => {
        const [a, b] = [value(left), value(right)];
        if (isMissing(a) || isMissing(b)) return isMissing(a) - isMissing(b);
        return direction * compare(a, b);
    });
}

function compare(a, b) {
    return typeof a === "string" ? collator.compare(a, String(b)) : Number(a) - Number(b);
}

function isLargestFirst(column) {
    return Boolean(column.numeric || column.largestFirst);
}
