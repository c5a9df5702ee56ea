// The Afterpush client for service workers: records events of push notifications and posts them to a collector.
//
//     importScripts("https://push.example.com/client/afterpush.js");
//     const client = afterpush({ url: "https://push.example.com", key: "ap_ingest_...", device: "d-1" });
//
// The client records pushes, clicks and dismissals by itself, and also the notifications that
// registration.showNotification shows: pass it the payload as `data`. client.record(kind, payload, fields) records
// anything else. Without `device`, the client makes a random id for the browser. Events stay in IndexedDB until the
// collector has stored them, in a database with the name `name`: two clients on one origin need different ones, or they
// share a queue.
//
// The collector serves this file without indentation and full-line comments.
self.afterpush = ({ url, key, device, appVersion, name = "afterpush" }) => {
  // The most events per request. Halved after a request that was too large.
  let batch = 50;
  let notBefore = 0;
  let stopped, sending, opened;

  const maybe = (work) => { try { return work(); } catch {} };

  const ask = (request) => new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });

  // The browser closes the connection when the site's data is cleared: the next event opens another.
  const open = async () => opened ||= Object.assign(await ask(Object.assign(indexedDB.open(name, 1), {
    onupgradeneeded() {
      this.result.createObjectStore("events", { autoIncrement: true });
      this.result.createObjectStore("facts");
    },
  })), { onclose: () => opened = 0 });

  // Resolves once the changes are on disk.
  const change = async (work) => {
    const all = (await open()).transaction(["events", "facts"], "readwrite", { durability: "strict" });
    await new Promise((done, fail) => {
      all.oncomplete = done;
      all.onabort = () => fail(all.error);
      work(all.objectStore("events"), all.objectStore("facts"));
    });
  };

  const store = async (name) => (await open()).transaction(name).objectStore(name);
  const fact = async (name) => ask((await store("facts")).get(name));

  // UUID version 7: the time, then random bits.
  const uuid = () => {
    const time = Date.now().toString(16).padStart(12, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
  };

  // The event fields that a payload states, and the device that its receipt names. The collector verifies the receipt.
  const parse = (data, tag) => {
    const all = { ...data, ...data?.notification?.data, ...data?.data };
    const receipt = all.afterpush;
    const claims = maybe(() => JSON.parse(atob(receipt.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")))) ?? {};
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

  const enqueue = async (kind, data, fields, tag) => {
    const occurred_at = new Date().toISOString();
    if (await fact("out")) return;
    const [stated, owner] = data || tag ? parse(data, tag) : [];
    let id = device ?? await fact("device");
    if (!id) await change((_, facts) => {
      facts.get("device").onsuccess = ({ target }) => (id = target.result) || facts.put(id = uuid(), "device");
    });
    // The queue is full: drop the new event. No stored event has the key 0.
    if (await ask((await store("events")).count()) >= 2000) return drop([0], "size");
    const event = {
      event_id: uuid(), kind, occurred_at, ...stated, device_id: owner ? undefined : id,
      platform: "web", app_version: appVersion, ...fields,
    };
    const afterpush_dropped = await fact("dropped");
    if (afterpush_dropped) event.properties = { ...event.properties, afterpush_dropped };
    // The collector refuses events over 32 KiB. An event that can't be sent would hold up all later ones.
    if (!(maybe(() => new Blob([JSON.stringify(event)]).size) <= 32768)) return drop([0], "refused");
    await change((events, facts) => [events.add(event), facts.delete("dropped")]);
  };

  const drop = async (keys, why) => {
    const dropped = await fact("dropped") ?? {};
    dropped[why] = (dropped[why] ?? 0) + keys.length;
    await change((events, facts) => [keys.map((key) => events.delete(key)), facts.put(dropped, "dropped")]);
  };

  // Sends one request. Resolves to true if more events may be waiting.
  const post = async () => {
    const queue = await store("events");
    const keys = await ask(queue.getAllKeys(null, batch));
    const events = await ask(queue.getAll(null, batch));
    const old = keys.filter((_, place) => Date.parse(events[place].occurred_at) < Date.now() - 28 * 864e5);
    if (old.length) return drop(old, "age").then(() => true);
    let count = keys.length;
    if (!count) return;
    let body;
    // With keepalive, the browser limits bodies to 64 KiB.
    do body = JSON.stringify({ sent_at: new Date().toISOString(), events: events.slice(0, count) });
    while (body.length > 2e4 && count > 1 && (count >>= 1));
    // An event can have been on its way into the queue when recording stopped.
    if (await fact("out")) return change((events) => events.clear());
    const headers = { Authorization: "Bearer " + key, "Content-Type": "application/json" };
    const answer = await fetch(url.replace(/\/+$/, "") + "/v1/events", { method: "POST", headers, body, keepalive: true });
    const posted = keys.slice(0, count);
    const is = (...status) => status.includes(answer.status);
    if (is(200, 202, 422)) {
      const { accepted, duplicates, rejected } = await answer.json();
      // A captive portal also responds with 200.
      if (accepted + duplicates + rejected.length !== count) throw 0;
      await change((events) => posted.map((key) => events.delete(key)));
      batch = 50;
    } else if (is(400, 413, 415)) {
      if (count > 1) batch = count >> 1;
      else {
        // So may a captive portal or another host, but not with the collector's problem document.
        const { status, code, request_id } = await answer.json();
        if (status !== answer.status || !code || !request_id) throw 0;
        await drop(posted, "refused");
      }
    } else if (is(408, 429, 502, 503, 504)) {
      // Seconds or a date.
      const wait = answer.headers.get("Retry-After");
      notBefore = wait >= 0 ? Date.now() + 1e3 * wait : Date.parse(wait) || 0;
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
      // A service worker may soon be stopped: the next event sends the rest.
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

  // A call during another flush runs after it.
  const flush = () => sending = Promise.resolve(sending).then(send);
  const record = (...event) => enqueue(...event).then(flush);
  const optOut = () => change((events, facts) => [events.clear(), facts.clear(), facts.put(1, "out")]);
  const optIn = () => change((_, facts) => facts.delete("out"));

  const { registration } = self;
  const show = registration?.showNotification;
  const on = (name, fields) => self.addEventListener(name, (event) => event.waitUntil(record(...fields(event))));
  // Pages have no registration: only `record` is of use there.
  if (show) {
    registration.showNotification = async (title, more = {}) => {
      await show.call(registration, title, more);
      await enqueue("displayed", more.data, {}, more.tag);
      flush();
    };
    on("push", ({ data }) => ["delivered", maybe(() => data.json()) ?? {}]);
    on("notificationclick", ({ notification: { data, tag }, action, reply }) => action
      ? [reply ? "text_input" : "action", data, { action_identifier: action, user_text: reply || undefined }, tag]
      : ["opened", data, {}, tag]);
    on("notificationclose", ({ notification: { data, tag } }) => ["dismissed", data, {}, tag]);
  }
  flush();
  return { record, flush, optOut, optIn };
};
