-- The load that wrk puts on `POST /v1/events`. All events are different, and making one costs next to nothing: requests
-- are made from templates in which only the digits of the ids are overwritten, eight bytes at a time.
--
-- A delivery has three events, in three requests of one kind each: `sent`, posted by the server with a send key, then
-- `delivered`, then a response (opened 35 %, action 40 %, dismissed 20 %, text 5 %), both posted by devices with an
-- ingest key. LAG is the number of deliveries that a thread sends before it posts the next event of the first one.
--
-- This is the MIX `spread`. With `scattered`, each event belongs to a different delivery. With `gathered`, the three
-- events of a delivery (`displayed` instead of `sent`) follow each other in one request of a device.
--
-- FORMAT is native; or segment, where the same events come as a client of Segment posts them; or ignored, where they have
-- names that mean nothing to the collector.
--
-- Environment: FORMAT; SEND_KEY; INGEST_KEY; EVENTS per request; LAG in deliveries; SEED, eight hex digits unique to the run;
-- MIX; RATE, the total of requests per second, or 0 for no limit; RETRY_DELAY_MS, how long a connection waits after a
-- 429 or 503, or 0; THREADS; RESULT, the file for the results.

local ffi = require("ffi")
ffi.cdef [[
    typedef struct { long seconds; long nanoseconds; } timespec_t;
    int clock_gettime(int clock, timespec_t *time);
]]

local variants = 64 -- templates per stage, if requests are short
local threads = {}

function setup(thread)
    thread:set("number", #threads)
    table.insert(threads, thread)
end

local events, lag, seed, rate, mix, format
local keys, templates, request_count, second

local clock = ffi.new("timespec_t")
local function now()
    ffi.C.clock_gettime(1, clock) -- CLOCK_MONOTONIC
    return tonumber(clock.seconds) * 1000 + tonumber(clock.nanoseconds) / 1e6
end

function init()
    events = tonumber(os.getenv("EVENTS"))
    rate = tonumber(os.getenv("RATE")) / tonumber(os.getenv("THREADS")) / 1000 -- per millisecond of this thread
    mix = os.getenv("MIX")
    format = os.getenv("FORMAT")
    lag = math.ceil(tonumber(os.getenv("LAG")) / events)
    seed = string.format("%s-%04x", os.getenv("SEED"), number)
    keys = { os.getenv("SEND_KEY"), os.getenv("INGEST_KEY"), os.getenv("INGEST_KEY") }
    if mix == "gathered" then keys[1] = keys[2] end
    variants = events < 100 and variants or 1
    request_count = 0
    late = {}
end

local campaigns = { "autumn-sale", "welcome", "cart", "weekly-digest", "flash-sale", "feedback",
                    "delivery-status", "price-drop", "re-engage", "birthday", "new-arrivals", "payment-due" }
local categories = { "offer", "message", "cart", "digest", "survey", "status" }
local actions = { "book", "later", "details" }

-- The response, by the position of the event within a hundred.
local function reaction(place)
    local share = place * 37 % 100
    if share < 35 then return "opened", ',"action_identifier":"com.apple.UNNotificationDefaultActionIdentifier"' end
    if share < 75 then return "action", ',"action_identifier":"' .. actions[share % 3 + 1] .. '"' end
    if share < 95 then return "dismissed", ',"action_identifier":"com.apple.UNNotificationDismissActionIdentifier"' end
    return "text_input", ',"action_identifier":"answer","user_text":"Yes, on Friday if I can"'
end

local function attributes(stage, place)
    local campaign = place % #campaigns + 1
    local app = string.format(',"platform":"ios","app_version":"4.%d.0"', place % 7)
    if stage == 1 and mix ~= "gathered" then
        return "sent", string.format(',"campaign_id":"%s","variant":"%s","category_id":"%s"%s',
            campaigns[campaign], place % 2 == 0 and "a" or "b", categories[campaign % #categories + 1], app)
    end
    local device = string.format('%s,"os_version":"18.%d","locale":"%s","trigger":"push"',
        app, place % 5, place % 3 == 0 and "de_DE" or "en_GB")
    if stage == 1 then return "displayed", device end
    if stage == 2 then return "delivered", device .. ',"handling":"extension"' end
    local kind, action = reaction(place)
    return kind, device .. action .. ',"handling":"app"'
end

-- In a template, ######## stands for the number of the request, ~~~~~~~~ for that of the request with the `sent` event.
local function event(stage, variant, place, stamp)
    local delivery = place
    if mix == "gathered" then stage, delivery = place % 3 + 1, math.floor(place / 3) end
    local kind, more = attributes(stage, variant * 41 + delivery)
    return string.format(
        '{"event_id":"%s-4000-8000-%04x########","kind":"%s","occurred_at":"%s.%03dZ",' ..
        '"notification_id":"n-%s-%04x~~~~~~~~","device_id":"%s-4000-9000-%04x~~~~~~~~"%s}',
        seed, place, kind, stamp, place % 1000, seed, delivery, seed, delivery, more)
end

local names = { sent = "Push Notification Sent", delivered = "Push Notification Received", dismissed = "Push Notification Dismissed" }

-- The same event as analytics-python posts it.
local function foreign(stage, variant, place, stamp)
    local number = variant * 41 + place
    local kind, more = attributes(stage, number)
    local action = more:match('"action_identifier":"([%w_]+)"')
    local campaign = number % #campaigns + 1
    local properties = action and ',"action":"' .. action .. '"' or ""
    if kind == "text_input" then properties = properties .. ',"user_text":"Yes, on Friday if I can"' end
    if kind == "sent" then
        properties = string.format(',"campaign_id":"%s","variant":"%s","category_id":"%s"',
            campaigns[campaign], number % 2 == 0 and "a" or "b", categories[campaign % #categories + 1])
    end
    local name = format == "ignored" and "Product Viewed" or names[kind] or "Push Notification Tapped"
    return string.format(
        '{"integrations": {}, "anonymousId": null, "properties": {"notification_id": "n-%s-%04x~~~~~~~~", ' ..
        '"device_id": "%s-4000-9000-%04x~~~~~~~~"%s}, "timestamp": "%s.%03dZ", "context": {"library": ' ..
        '{"name": "analytics-python", "version": "2.4.0"}, "device": {"type": "ios"}, "app": {"version": "4.%d.0"}, ' ..
        '"os": {"version": "18.%d"}, "locale": "en_GB"}, "userId": "u1", "type": "track", "event": "%s", ' ..
        '"messageId": "%s-4000-8000-%04x########"}',
        seed, place, seed, place, properties, stamp, place % 1000, number % 7, number % 5, name, seed, place)
end

local function places(text, mark)
    local found, at = {}, 0
    while true do
        at = text:find(mark, at + 1, true)
        if not at then return ffi.new("int[?]", #found, found), #found end
        table.insert(found, at - 1)
    end
end

local function template(stage, variant, time)
    local stamp = os.date("!%Y-%m-%dT%H:%M:%S", time)
    local list = {}
    local make = format == "native" and event or foreign
    for place = 0, events - 1 do table.insert(list, make(stage, variant, place, stamp)) end
    local body = string.format(
        format == "native" and '{"sent_at":"%s.999Z","events":[%s]}' or '{"sentAt": "%s.999Z", "batch": [%s]}',
        stamp, table.concat(list, ","))
    local text = table.concat({
        "POST " .. (format == "native" and "/v1/events" or "/v1/batch") .. " HTTP/1.1", "Host: localhost", "Authorization: Bearer " .. keys[stage],
        "Content-Type: application/json", "Content-Length: " .. #body, "", body }, "\r\n")
    local made = { length = #text, bytes = ffi.new("uint8_t[?]", #text + 1) }
    ffi.copy(made.bytes, text) -- includes the terminating NUL
    made.own, made.own_count = places(text, "########")
    made.sent, made.sent_count = places(text, "~~~~~~~~")
    return made
end

local function make_templates(time)
    second = time
    templates = {}
    for stage = 1, 3 do
        for variant = 1, variants do templates[(stage - 1) * variants + variant] = template(stage, variant, time) end
    end
end

local digits = ffi.new("uint8_t[8]")
local function overwrite(bytes, at, count, number)
    ffi.copy(digits, string.format("%08x", number % 0x100000000), 8)
    local word = ffi.cast("uint64_t *", digits)[0]
    for index = 0, count - 1 do ffi.cast("uint64_t *", bytes + at[index])[0] = word end
end

-- Requests are scheduled at `rate` per millisecond, independent of responses. How late each was sent is counted.
local first, planned, begun = nil, 0, 0

function request()
    if first then -- nil when wrk calls this function once to check the script
        local lateness = math.floor(math.max(0, now() - (first + begun / rate)))
        begun = begun + 1
        late[lateness + 1] = (late[lateness + 1] or 0) + 1
    end
    local time = os.time()
    if time ~= second then make_templates(time) end
    local turn, stage = math.floor(request_count / 3), request_count % 3 + 1
    local made = templates[(stage - 1) * variants + turn % variants + 1]
    overwrite(made.bytes, made.own, made.own_count, request_count)
    overwrite(made.bytes, made.sent, made.sent_count, mix == "spread" and turn - (stage - 1) * lag or request_count)
    request_count = request_count + 1
    return ffi.string(made.bytes, made.length)
end

local retry_delay = tonumber(os.getenv("RETRY_DELAY_MS"))
local rejected = 0 -- connections that have to wait

if tonumber(os.getenv("RATE")) > 0 then
    function delay()
        first = first or now()
        planned = planned + 1
        return math.max(0, math.floor(first + (planned - 1) / rate - now()))
    end
elseif retry_delay > 0 then
    function response(status)
        if status == 429 or status == 503 then rejected = rejected + 1 end
    end

    -- wrk does not say which connection is asking, so as many connections wait as were rejected.
    function delay()
        if rejected == 0 then return 0 end
        rejected = rejected - 1
        return retry_delay
    end
end

local function lateness_percentile(share)
    local all, total = {}, 0
    for _, thread in ipairs(threads) do
        for bucket, count in pairs(thread:get("late") or {}) do
            all[bucket] = (all[bucket] or 0) + count
            total = total + count
        end
    end
    local buckets, seen = {}, 0
    for bucket in pairs(all) do table.insert(buckets, bucket) end
    table.sort(buckets)
    for _, bucket in ipairs(buckets) do
        seen = seen + all[bucket]
        if seen >= share * total then return bucket end -- an upper bound in milliseconds
    end
    return 0
end

function done(summary, latency, requests)
    local errors = summary.errors
    local file = assert(io.open(os.getenv("RESULT"), "w"))
    file:write(string.format(
        '{"seconds":%.6f,"requests":%d,"bytes":%d,"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d,' ..
        '"p50_ms":%.3f,"p90_ms":%.3f,"p99_ms":%.3f,"max_ms":%.3f,"late_p99_ms":%d}\n',
        summary.duration / 1e6, summary.requests, summary.bytes, errors.connect, errors.read, errors.write,
        errors.status, errors.timeout, latency:percentile(50) / 1e3, latency:percentile(90) / 1e3,
        latency:percentile(99) / 1e3, latency.max / 1e3, lateness_percentile(0.99)))
    file:close()
end
