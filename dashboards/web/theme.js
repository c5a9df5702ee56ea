// Applies the chosen theme before the page is drawn, so that nothing flashes. Modules run too late for that.
(() => {
    const key = "afterpush-theme";

    function stored() {
        try {
            return localStorage.getItem(key) ?? "system";
        } catch {
            return "system"; // storage is disabled
        }
    }

    function choose(theme) {
        try {
            localStorage.setItem(key, theme);
        } catch {
            // Storage is disabled: the choice applies to this page only.
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
