// The list of all reports, including the team's own.

import { catalogue } from "./api.js";
import { pageHead } from "./blocks.js";
import { h, prose } from "./dom.js";
import { emptyState, panel } from "./panel.js";
import { href } from "./route.js";

function render() {
    const search = h(
        "input",
        {
            type: "search", id: "report-search", placeholder: "Find a report or column",
            "aria-label": "Find a report or column",
        },
    );
    return [
        pageHead(
            "Reports",
            {
                about: "Each report is one SQL statement. View it here, download it as CSV or JSON, run it in psql, or "
                    + "use it in your own dashboards.",
            },
        ),
        panel({
            title: "All reports", id: "all-reports", about: search,
            load: catalogue,
            render: (list) => {
                const place = h("ul", { class: "report-list" });
                const show = () => place.replaceChildren(...matching(list, search.value));
                search.addEventListener("input", show);
                show();
                return place;
            },
        }),
    ];
}

function matching(list, text) {
    const wanted = text.trim().toLowerCase();
    const found = list.filter((report) =>
        [report.name, report.title, report.description, ...report.columns.map((column) => column.name)]
            .some((part) => part.toLowerCase().includes(wanted)));
    return found.length > 0 ? found.map(item) : [h(
        "li", {},
        emptyState("No report matches. The search covers names, descriptions and columns."),
    )];
}

function item(report) {
    return h(
        "li", { class: "report" },
        h(
            "h3", {},
            h("a", { href: href(`/reports/${encodeURIComponent(report.name)}`) }, report.title || report.name),
            " ",
            h("code", {}, report.name),
        ),
        h("p", {}, prose(report.description)),
    );
}

export default { title: () => "Reports", filters: [], render };
