// What panels offer to take along: rows as CSV, a chart as PNG, and text for the clipboard.

import { getText, reportPath } from "./api.js";
import { h } from "./dom.js";

/** Downloads the rows of a report's request as CSV. */
export async function saveRows({ name, parameters }) {
    const text = await getText(reportPath(name, parameters, "csv"));
    save(new Blob([text], { type: "text/csv" }), `${name}.csv`);
}

/** Downloads a chart with its title as PNG, on the page's own background. */
export async function saveChart(canvas, title, file) {
    const style = getComputedStyle(document.body);
    const scale = canvas.width / canvas.clientWidth;
    const [margin, head] = [16 * scale, 36 * scale];
    const picture = h("canvas", { width: canvas.width + 2 * margin, height: canvas.height + head + 2 * margin });
    const pen = picture.getContext("2d");
    pen.fillStyle = getComputedStyle(canvas.closest(".panel")).backgroundColor;
    pen.fillRect(0, 0, picture.width, picture.height);
    pen.fillStyle = style.color;
    pen.font = `600 ${16 * scale}px ${style.fontFamily}`;
    pen.fillText(title, margin, margin + 16 * scale, picture.width - 2 * margin);
    pen.drawImage(canvas, margin, margin + head);
    save(await new Promise((resolve) => picture.toBlob(resolve, "image/png")), `${file}.png`);
}

function save(blob, name) {
    // The click is no reader's, and must not close the menu that is open by now.
    const link = h("a", {
        href: URL.createObjectURL(blob), download: name, on: { click: (event) => event.stopPropagation() },
    });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Copies a text, and returns whether the browser allowed it. */
export async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return false;
    }
}
