// Afterpush in a service worker: records what happens to push notifications, and posts it to a collector.
//
//     importScripts("https://push.example.com/client/afterpush.js");
//     const client = afterpush({ url: "https://push.example.com", key: "ap_ingest_...", device: "d-1" });
//
// Pushes, clicks and dismissals are recorded by themselves, and so is what registration.showNotification shows: give
// it the payload as `data`. client.record(kind, payload, fields) records anything else. Without `device` a random id
// stands for the browser. Events wait in IndexedDB until the collector has them.
//
// The collector serves this without indentation and without comments of their own line.
self.afterpush = ({ url, key, device, appVersion }) => {
  // How many events one request carries: fewer after one that was too large.
  let limit = 50;
  let notBefore = 0;
  let stopped, sending, opened;

  const attempt = (work) => { try { return work(); } catch {} };

  const wait = (request) => new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });

  const open = () => opened ??= wait(Object.assign(indexedDB.open("afterpush", 1), {
    onupgradeneeded() {
      this.result.createObjectStore("events", { autoIncrement: true });
      this.result.createObjectStore("facts");
    },
  }));

  // Resolves once what the work changes is on the disk.
  const change = async (work) => {
    const all = (await open()).transaction(["events", "facts"], "readwrite", { durability: "strict" });
    await new Promise((done, fail) => {
      all.oncomplete = done;
      all.onabort = () => fail(all.error);
      work(all.objectStore("events"), all.objectStore("facts"));
    });
  };

  const store = async (name) => (await open()).transaction(name).objectStore(name);
  const fact = async (name) => wait((await store("facts")).get(name));

  // Version 7: the time, then chance.
  const uuid = () => {
    const time = Date.now().toString(16).padStart(12, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
  };

  // What a payload says of its notification, and whether its receipt names the device. The receipt is believed here;
  // the collector checks it.
  const about = (data, tag) => {
    const all = { ...data, ...data?.notification?.data, ...data?.data };
    const receipt = all.afterpush;
    const claims = attempt(() => JSON.parse(atob(receipt.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")))) ?? {};
    const text = (...values) => values.map((value) => String(value ?? "")).find(Boolean);
    return [{
      notification_id: text(claims.jti, all.msgid, all.notification_id, tag),
      receipt,
      trigger: "push",
      campaign_id: text(all.campaign_id, all.campaign),
      variant: text(all.variant),
      category_id: text(all.category_id),
    }, claims.sub];
  };

  const keep = async (kind, data, fields, tag) => {
    const occurred_at = new Date().toISOString();
    if (await fact("out")) return;
    const [names, named] = data || tag ? about(data, tag) : [];
    device ??= await fact("device");
    if (!device) await change((_, facts) => facts.put(device = uuid(), "device"));
    // No event has the key 0: it is this one that is given up.
    if (await wait((await store("events")).count()) >= 2000) return drop([0], "size");
    const event = {
      event_id: uuid(), kind, occurred_at, ...names, device_id: named ? undefined : device, platform: "web",
      app_version: appVersion, ...fields,
    };
    const afterpush_dropped = await fact("dropped");
    if (afterpush_dropped) event.properties = { ...event.properties, afterpush_dropped };
    await change((events, facts) => [events.add(event), facts.delete("dropped")]);
  };

  const drop = async (keys, why) => {
    const dropped = await fact("dropped") ?? {};
    dropped[why] = (dropped[why] ?? 0) + keys.length;
    await change((events, facts) => [keys.map((key) => events.delete(key)), facts.put(dropped, "dropped")]);
  };

  // One request. Whether there may be more to send.
  const post = async () => {
    const waiting = await store("events");
    const keys = await wait(waiting.getAllKeys(null, limit));
    const events = await wait(waiting.getAll(null, limit));
    const old = keys.filter((_, place) => Date.parse(events[place].occurred_at) < Date.now() - 28 * 864e5);
    if (old.length) return drop(old, "age").then(() => true);
    let count = keys.length;
    if (!count) return;
    let body;
    // With keepalive a body has 64 KiB at most.
    do body = JSON.stringify({ sent_at: new Date().toISOString(), events: events.slice(0, count) });
    while (body.length > 2e4 && count > 1 && (count >>= 1));
    const headers = { Authorization: "Bearer " + key, "Content-Type": "application/json" };
    const answer = await fetch(url + "/v1/events", { method: "POST", headers, body, keepalive: true });
    const sent = keys.slice(0, count);
    const is = (...status) => status.includes(answer.status);
    if (is(200, 202, 422)) {
      const { accepted, duplicates, rejected } = await answer.json();
      // A sign-in page is answered 200, too.
      if (accepted + duplicates + rejected.length !== count) throw 0;
      await change((events) => sent.map((key) => events.delete(key)));
      limit = 50;
    } else if (is(400, 413, 415)) {
      if (count > 1) limit = count >> 1;
      else await drop(sent, "refused");
    } else if (is(408, 429, 502, 503, 504)) {
      notBefore = Date.now() + 1e3 * (answer.headers.get("Retry-After") || 0);
      throw 0;
    } else {
      stopped = is(401, 403);
      return;
    }
    return true;
  };

  const send = async () => {
    for (let tries = 0; !stopped && tries < 5;) {
      const pause = Math.max(notBefore - Date.now(), tries && 2 ** tries * 250 * (1 + Math.random()));
      // A worker has not long to live: the rest goes with the next event.
      if (pause > 2e4) return;
      await new Promise((done) => setTimeout(done, pause));
      try {
        if (!await post()) return;
        tries = 0;
      } catch {
        tries++;
      }
    }
  };

  // Who asks while others send has a turn of its own afterwards.
  const flush = () => sending = Promise.resolve(sending).then(send);
  const record = (...event) => keep(...event).then(flush);
  const optOut = () => change((events, facts) => [events.clear(), facts.clear(), facts.put(1, "out")]);
  const optIn = () => change((_, facts) => facts.delete("out"));

  const { registration } = self;
  const show = registration?.showNotification;
  const on = (name, fields) => self.addEventListener(name, (event) => event.waitUntil(record(...fields(event))));
  // In a page there is no such thing, and nothing but `record` to do.
  if (show) {
    registration.showNotification = async (title, more = {}) => {
      await show.call(registration, title, more);
      await keep("displayed", more.data, {}, more.tag);
      flush();
    };
    on("push", ({ data }) => ["delivered", attempt(() => data.json()) ?? {}]);
    on("notificationclick", ({ notification: { data, tag }, action, reply }) => action
      ? [reply ? "text_input" : "action", data, { action_identifier: action, user_text: reply || undefined }, tag]
      : ["opened", data, {}, tag]);
    on("notificationclose", ({ notification: { data, tag } }) => ["dismissed", data, {}, tag]);
  }
  flush();
  return { record, flush, optOut, optIn };
};
