// Dialogs, of which one at a time is open.

import { h } from "./dom.js";

/** Opens a dialog with a title. The browser keeps the focus in it, and gives it back when it closes. */
export function openDialog(title, ...content) {
    document.querySelector("dialog")?.close();
    const id = "dialog-title";
    const dialog = h(
        "dialog", { class: "dialog", "aria-labelledby": id },
        h("div", { class: "dialog-head" },
            h("h2", { id }, title),
            h("button", { type: "button", on: { click: () => dialog.close() } }, "Close")),
        content,
    );
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}
