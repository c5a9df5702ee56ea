// The form to log in works without this; here is only why an attempt failed, and where to go on.

const errors = {
    key: "No such key, or it may not read reports. Make one with: afterpush keys create --app NAME --scope read",
    limit: "Too many attempts from your address. Wait a moment, then try again.",
    origin: "The form came from another site. Try again here.",
};

const query = new URLSearchParams(location.search);
const code = query.get("error");
const next = query.get("next") ?? "/";

if (code !== null) {
    const place = document.getElementById("error");
    place.textContent = errors[code] ?? "That did not work. Try again.";
    place.hidden = false;
    document.getElementById("key").setAttribute("aria-invalid", "true");
}
// Only an address of this site: the server holds to it as well.
if (/^\/(?![\/\\])/.test(next)) document.getElementById("next").value = next;
