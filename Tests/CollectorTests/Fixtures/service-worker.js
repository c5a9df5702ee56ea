// A site's service worker that also lets a test simulate what a person does with a notification.
importScripts("COLLECTOR/client/afterpush.js");
const client = afterpush({ url: "COLLECTOR", key: "KEY", appVersion: "9" });
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(clients.claim()));
self.addEventListener("push", (event) => {
  const data = event.data.json();
  const actions = [{ action: "book", title: "Book now" }];
  event.waitUntil(registration.showNotification("Sale", { data, tag: data.tag, actions }));
});

const respond = async ({ type, tag, ...more }) => {
  const [notification] = await registration.getNotifications({ tag });
  const event = new NotificationEvent(type, { notification, ...more });
  const work = [];
  // An event that a script creates has no lifetime to extend: collect the promises instead.
  event.waitUntil = (promise) => work.push(promise);
  self.dispatchEvent(event);
  await Promise.all(work);
};

self.addEventListener("message", async ({ data, ports: [port] }) => {
  try {
    if (data.type) await respond(data);
    else await client[data.call](...(data.with ?? []));
    port.postMessage("done");
  } catch (error) {
    port.postMessage(String(error));
  }
});
