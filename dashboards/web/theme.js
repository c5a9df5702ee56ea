// Runs before the page is drawn, so that a chosen theme does not flash: the only script that is not a module.
(() => {
    const key = "afterpush-theme";

    function stored() {
        try {
            return localStorage.getItem(key) ?? "system";
        } catch {
            return "system"; // storage is switched off
        }
    }

    function choose(theme) {
        try {
            localStorage.setItem(key, theme);
        } catch {
            // It holds for this page, then.
        }
        apply(theme);
    }

    function apply(theme) {
        if (theme === "system") delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = theme;
        document.dispatchEvent(new Event("themechange"));
    }

    apply(stored());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => apply(stored()));
    document.addEventListener("DOMContentLoaded", () => {
        const select = document.getElementById("theme");
        if (!select) return;
        select.value = stored();
        select.addEventListener("change", () => choose(select.value));
    });
})();
