"""Runs the clients of other systems, from their packages, against a collector.

clients.py CLIENT URL KEY SCENARIO NAME posts a response to the notification n-NAME of the device d-NAME, an event that
means nothing here, and what else the client sends by itself. Between the client and the collector is a proxy that counts
requests and can lose a response. Prints {"requests": n, "statuses": [...], "gaps": [...], "finished": true}.

Scenarios: plain; lost (the first response is lost, although its events are stored); limited (the first request gets 429
with Retry-After: 1, with the body that the collector gives it).
"""

import datetime
import http.client
import http.server
import json
import logging
import sys
import threading
import time
import urllib.parse

logging.disable(logging.CRITICAL)


class Proxy(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, url, scenario):
        super().__init__(("127.0.0.1", 0), Handler)
        self.upstream = urllib.parse.urlsplit(url)
        self.scenario = scenario
        self.lock = threading.Lock()
        self.statuses = []
        self.times = []
        self.url = "http://127.0.0.1:%d" % self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            body = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with self.server.lock:
            number = len(self.server.times)
            self.server.times.append(time.monotonic())
        if self.server.scenario == "limited" and number == 0:
            text = json.dumps({
                "type": "about:blank", "title": "Too Many Requests", "status": 429, "code": "rate_limited",
                "detail": "rate limit exceeded", "message": "rate limit exceeded", "error": "rate limit exceeded",
                "success": False}).encode()
            status, reason, headers = 429, "Too Many Requests", [
                ("Content-Type", "application/problem+json"), ("Retry-After", "1")]
        else:
            upstream = http.client.HTTPConnection(self.server.upstream.netloc, timeout=30)
            headers = {k: v for k, v in self.headers.items() if k.lower() not in (
                "host", "transfer-encoding", "connection", "content-length")}
            if body or self.command == "POST":
                headers["Content-Length"] = str(len(body))
            upstream.request(self.command, self.path, body, headers)
            response = upstream.getresponse()
            text = response.read()
            status, reason = response.status, response.reason
            headers = [(k, v) for k, v in response.getheaders() if k.lower() not in (
                "connection", "transfer-encoding", "content-length")]
        with self.server.lock:
            self.server.statuses.append(status)
        if self.server.scenario == "lost" and number == 0:
            self.close_connection = True
            return
        self.send_response_only(status, reason)
        for key, value in headers:
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = answer


def properties(name):
    return {"notification_id": "n-" + name, "device_id": "d-" + name, "campaign_id": "winter", "action": "book",
            "extra": {"deep": [1, 2, {"deeper": "x" * 500}]}}


NATIVE = {"kind": "action", "action_identifier": "book", "campaign_id": "winter"}


def native(name):
    return dict(NATIVE, notification_id="n-" + name, device_id="d-" + name)


def segment(url, key, name, **options):
    from segment.analytics.client import Client
    client = Client(key, host=url, upload_interval=0.2, max_retries=3, **options)
    client.track(user_id="u1", event="Push Notification Tapped", properties=properties(name))
    client.track(user_id="u1", event="Mystery Event", properties={})
    client.identify(user_id="u1", traits={"email": "someone@example.com"})
    client.flush()
    client.join()


def segment_gzip(url, key, name):
    segment(url, key, name, gzip=True)


def rudderstack(url, key, name):
    from rudderstack.analytics.client import Client
    client = Client(key, host=url, upload_interval=0.2, max_retries=3)
    client.track(user_id="u1", event="Push Notification Tapped", properties=properties(name))
    client.track(user_id="u1", event="Mystery Event", properties={})
    client.flush()
    client.join()


def customerio_cdp(url, key, name):
    from customerio.analytics.client import Client
    client = Client(key, host=url, upload_interval=0.2, max_retries=3)
    client.track(user_id="u1", event="Push Notification Tapped", properties=properties(name))
    client.track(user_id="u1", event="Mystery Event", properties={})
    client.flush()
    client.join()


def posthog(url, key, name, mode="v0"):
    from posthog import Posthog
    client = Posthog(key, host=url, flush_interval=0.2, max_retries=3, capture_mode=mode)
    client.capture("$push_notification_opened", distinct_id="u1", properties={
        "$notification_notification_id": "n-" + name, "$device_id": "d-" + name,
        "$notification_campaign_id": "winter", "$notification_action": "book"})
    client.capture("Mystery Event", distinct_id="u1", properties={})
    client.flush()
    client.shutdown()


def posthog_v1(url, key, name):
    posthog(url, key, name, mode="v1")


def mixpanel(url, key, name):
    from mixpanel import Consumer, Mixpanel, MixpanelException
    client = Mixpanel(key, consumer=Consumer(
        events_url=url + "/track", people_url=url + "/engage", import_url=url + "/import",
        groups_url=url + "/groups", retry_limit=3))
    properties = {"afterpush": native(name), "$insert_id": "i-" + name, "time": time.time()}
    for attempt in range(3):
        try:
            client.track("u1", "Push Notification Tapped", properties)
            break
        except MixpanelException as error:
            # The client repeats nothing over plain HTTP; an app would, once it has waited.
            if "rate limit" not in str(error):
                raise
            time.sleep(1)
    client.track("u1", "Mystery Event", {})


def amplitude(url, key, name):
    from amplitude import Amplitude, BaseEvent
    client = Amplitude(key)
    client.configuration.server_url = url + "/2/httpapi"
    client.configuration.flush_interval_millis = 200
    client.configuration.flush_max_retries = 3
    client.configuration.min_id_length = 1
    client.track(BaseEvent("Push Notification Tapped", user_id="u1", device_id="d-" + name,
                           insert_id="i-" + name, event_properties={"afterpush": native(name)}))
    client.track(BaseEvent("Mystery Event", user_id="u1", insert_id="m-" + name))
    for future in client.flush() or []:
        if future is not None:
            future.result()
    time.sleep(2)
    client.shutdown()


def cloudevents(url, key, name, structured=False):
    import requests
    from cloudevents.v1.conversion import to_binary as legacy_binary  # noqa: F401
    from cloudevents.v1.http import CloudEvent, to_binary, to_structured
    event = CloudEvent({"type": "com.afterpush.action", "source": "/devices/d-" + name, "id": "e-" + name},
                       native(name))
    other = CloudEvent({"type": "org.example.mystery", "source": "/x", "id": "m-" + name}, {})
    for event in (event, other):
        headers, body = (to_structured if structured else to_binary)(event)
        headers["Authorization"] = "Bearer " + key
        for attempt in range(3):
            try:
                response = requests.post(url + "/v1/events", data=body, headers=headers, timeout=10)
            except requests.ConnectionError:
                continue
            if response.status_code != 429:
                break
            time.sleep(float(response.headers["Retry-After"]))


def cloudevents_structured(url, key, name):
    cloudevents(url, key, name, structured=True)


def snowplow(url, key, name, method="post"):
    from snowplow_tracker import Emitter, SelfDescribing, SelfDescribingJson, Subject, Tracker
    address = urllib.parse.urlsplit(url)
    emitter = Emitter(address.hostname, protocol="http", port=address.port, method=method, batch_size=1)
    tracker = Tracker("ns", emitters=emitter, app_id=key, subject=Subject().set_user_id("d-" + name))
    response = SelfDescribingJson("iglu:com.afterpush/response/jsonschema/1-0-0", native(name))
    tracker.track(SelfDescribing(SelfDescribingJson("iglu:org.example/tapped/jsonschema/1-0-0", {}),
                                 context=[response]))
    tracker.track(SelfDescribing(SelfDescribingJson("iglu:org.example/mystery/jsonschema/1-0-0", {})))
    tracker.flush()


def snowplow_get(url, key, name):
    snowplow(url, key, name, method="get")


def otlp(url, key, name):
    from opentelemetry._logs import LogRecord
    from opentelemetry.exporter.otlp.proto.http import Compression
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
    provider = LoggerProvider(shutdown_on_exit=False)
    provider.add_log_record_processor(SimpleLogRecordProcessor(OTLPLogExporter(
        endpoint=url + "/v1/logs", headers={"authorization": "Bearer " + key}, compression=Compression.Gzip,
        timeout=10)))
    logger = provider.get_logger("app")
    attributes = {"afterpush." + field: value for field, value in native(name).items() if field != "kind"}
    now = time.time_ns()
    logger.emit(LogRecord(timestamp=now, event_name="afterpush.action", attributes=attributes))
    logger.emit(LogRecord(timestamp=now, event_name="mystery", body="a line of a log"))
    provider.force_flush()
    provider.shutdown()


def main():
    client, url, key, scenario, name = sys.argv[1:]
    proxy = Proxy(url, scenario)
    error = []

    def run():
        try:
            globals()[client](proxy.url, key, name)
        except Exception as problem:
            error.append("%s: %s" % (type(problem).__name__, problem))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(25)
    gaps = [round(b - a, 2) for a, b in zip(proxy.times, proxy.times[1:])]
    print(json.dumps({"requests": len(proxy.times), "statuses": proxy.statuses, "gaps": gaps,
                      "finished": not thread.is_alive(), "errors": error}))


main()
