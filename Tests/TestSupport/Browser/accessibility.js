// Checks the accessibility of the page and returns a list of findings. A small subset of axe-core: names, roles,
// references, structure and contrast (WCAG 2.1 AA).
(() => {
    const findings = [];
    const report = (problem, element) => findings.push(`${problem}: ${element.outerHTML.slice(0, 160)}`);
    const all = (selector) => [...document.querySelectorAll(selector)];

    const isShown = (element) => {
        if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
        const box = element.getBoundingClientRect();
        return box.width > 1 && box.height > 1;
    };

    const textOf = (ids) => ids.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" ");

    /** An approximation of the accessible name. */
    const nameOf = (element) => {
        const labelled = element.getAttribute("aria-labelledby");
        if (labelled) return textOf(labelled);
        return element.getAttribute("aria-label")
            || [...(element.labels ?? [])].map((label) => label.textContent).join(" ").trim()
            || element.textContent.trim()
            || [...element.querySelectorAll("img")].map((image) => image.alt).join(" ").trim()
            || element.getAttribute("title") || "";
    };

    const names = () => {
        for (const element of all("button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button]")) {
            if (element.checkVisibility() && nameOf(element).trim() === "") report("no accessible name", element);
        }
        for (const image of all("img")) if (!image.hasAttribute("alt")) report("image without alternative text", image);
        for (const element of all("canvas, svg, [role=img]")) {
            if (!element.closest("[aria-hidden=true]") && !nameOf(element)) report("graphic without a name", element);
        }
        for (const element of all("[role=region], section, nav, form, dialog")) {
            if (element.matches("nav, [role=region]") && !nameOf(element)) report("landmark without a name", element);
        }
        for (const frame of all("iframe, object, embed")) report("frame", frame);
    };

    const roles = new Set(["alert", "status", "img", "region", "tooltip", "button", "list", "group", "note", "presentation"]);

    const references = () => {
        const ids = new Set();
        for (const element of all("[id]")) {
            if (ids.has(element.id)) report("duplicate id", element);
            ids.add(element.id);
        }
        for (const name of ["aria-labelledby", "aria-describedby", "aria-controls", "for"]) {
            for (const element of all(`[${name}]`)) {
                const missing = element.getAttribute(name).split(/\s+/).filter((id) => id && !ids.has(id));
                if (missing.length > 0) report(`${name} refers to a missing element`, element);
            }
        }
        for (const element of all("[role]")) {
            if (!roles.has(element.getAttribute("role"))) report("unknown role", element);
        }
        for (const element of all("[tabindex]")) if (element.tabIndex > 0) report("positive tabindex", element);
        for (const element of all("[aria-hidden=true]")) {
            if (element.matches("a, button, input") || element.querySelector("a[href], button, input, select")) {
                report("hidden element that can get the focus", element);
            }
        }
    };

    const structure = () => {
        if (!document.documentElement.lang) findings.push("the page has no language");
        if (!document.title.trim()) findings.push("the page has no title");
        if (!document.querySelector("meta[name=viewport]")) findings.push("the page has no viewport");
        if (all("main").length !== 1) findings.push("the page needs exactly one main element");
        const headings = all("h1, h2, h3, h4, h5, h6").filter((heading) => heading.checkVisibility());
        if (headings.filter((heading) => heading.tagName === "H1").length !== 1) findings.push("the page needs exactly one h1");
        let level = 0;
        for (const heading of headings) {
            const own = Number(heading.tagName[1]);
            if (own > level + 1) report("heading that skips a level", heading);
            if (heading.textContent.trim() === "") report("empty heading", heading);
            level = own;
        }
        for (const table of all("table")) {
            if (!table.querySelector("th")) report("table without headers", table);
            for (const head of table.querySelectorAll("th")) if (!head.hasAttribute("scope")) report("header without scope", head);
        }
        for (const list of all("ul, ol")) {
            for (const child of list.children) if (child.tagName !== "LI") report("list child that is not an item", child);
        }
        for (const item of all("li")) if (!item.parentElement.matches("ul, ol")) report("item outside a list", item);
        for (const term of all("dt, dd")) if (!term.closest("dl")) report("term outside a description list", term);
    };

    const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const colors = new Map();
    const rgba = (text) => {
        if (!colors.has(text)) {
            pixel.clearRect(0, 0, 1, 1);
            pixel.fillStyle = text;
            pixel.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data;
            colors.set(text, [r, g, b, a / 255]);
        }
        return colors.get(text);
    };
    const over = (top, bottom) => {
        const alpha = top[3] + bottom[3] * (1 - top[3]);
        const mix = (index) => alpha ? (top[index] * top[3] + bottom[index] * bottom[3] * (1 - top[3])) / alpha : 0;
        return [mix(0), mix(1), mix(2), alpha];
    };
    const background = (element) => {
        let color = [0, 0, 0, 0];
        for (let one = element; one; one = one.parentElement) color = over(color, rgba(getComputedStyle(one).backgroundColor));
        return over(color, rgba(getComputedStyle(document.documentElement).colorScheme === "dark" ? "#121212" : "#ffffff"));
    };
    const luminance = (color) => {
        const [r, g, b] = color.slice(0, 3).map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };

    const contrast = () => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const seen = new Set();
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const element = node.parentElement;
            if (node.textContent.trim() === "" || seen.has(element) || !isShown(element)) continue;
            if (element.closest("script, style, noscript, :disabled, option")) continue;
            seen.add(element);
            const style = getComputedStyle(element);
            const ground = background(element);
            const [one, other] = [luminance(over(rgba(style.color), ground)), luminance(ground)];
            const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
            const size = parseFloat(style.fontSize);
            const isLarge = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
            if (ratio < (isLarge ? 3 : 4.5) - 0.01) report(`contrast ${ratio.toFixed(2)} (${style.color})`, element);
        }
    };

    names();
    references();
    structure();
    contrast();
    return findings;
})()
