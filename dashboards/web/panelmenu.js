// The menu of a panel: its rows as CSV, its chart as PNG, a link to it, and its reports.

import { sourcesOf } from "./api.js";
import { copyText, saveChart, saveRows } from "./downloads.js";
import { announce } from "./dom.js";
import { words } from "./format.js";
import { menu } from "./menu.js";
import { reportHref } from "./route.js";
import { isShared } from "./shared.js";

/** The menu of a panel with a title and an id, and a function that tells it what the panel shows. */
export function panelMenu(title, id) {
    let sources = [];
    const whole = menu({ name: `Options for ${title}`, label: "⋯", className: "panel-menu", items });

    function items() {
        const canvas = whole.closest(".panel").querySelector("canvas");
        const about = (source) => (sources.length > 1 ? `: ${describe(source, sources)}` : "");
        return [
            ...sources.map((source) => ({
                title: `Download CSV${about(source)}`, run: () => saveRows(source).catch(() => announce("The download failed")),
            })),
            canvas ? { title: "Download PNG", run: () => saveChart(canvas, title, id) } : null,
            isShared ? null : { title: "Copy link", run: copyLink },
            ...(isShared ? [] : sources.map((source) => ({
                title: `Open as report${about(source)}`, href: reportHref(source.name, source.parameters),
            }))),
        ].filter(Boolean);
    }

    async function copyLink() {
        const url = new URL(location.href);
        url.hash = id;
        if (await copyText(url.href)) announce("Link copied");
        else prompt("Copy this link:", url.href);
    }

    whole.hidden = true;
    return [whole, (data) => {
        sources = sourcesOf(data);
        whole.hidden = sources.length === 0 && (isShared || whole.closest(".panel").matches(".bare"));
    }];
}

/** The report's name, and if another one has it, what distinguishes the two. */
function describe({ name, parameters }, all) {
    const others = all.filter((other) => other.name === name && other.parameters !== parameters);
    if (others.length === 0) return words(name.replaceAll("-", "_"));
    const own = Object.entries(parameters).filter(([key, value]) =>
        value && others.some((other) => other.parameters[key] !== value)).map(([, value]) => value === true ? "curve" : value);
    return [words(name.replaceAll("-", "_")), ...own].join(" ");
}
