"""Generates the NDJSON that the part `reports` imports: a quarter of a year of one app.

Four deliveries have ten events. 200 campaigns with two variants, each sent within six hours; 40 categories with three
actions; devices that receive many notifications.
"""

import concurrent.futures
import json
import pathlib
import random
import time
import urllib.request

from .collector import Collector
from .options import Options

CAMPAIGNS = 200
CATEGORIES = 40
DAYS = 90
WINDOW = 6 * 3600  # seconds within which a campaign is sent
WRITERS = 2
EVENTS_PER_DELIVERY = 2.5
DAY = 86_400
RESPONSES = [("opened", "com.apple.UNNotificationDefaultActionIdentifier", 0.2), ("action", "buy", 0.09),
             ("action", "later", 0.06), ("text_input", "reply", 0.05),
             ("dismissed", "com.apple.UNNotificationDismissActionIdentifier", 0.1)]


def declare(collector: Collector) -> None:
    """Declares categories and campaigns before the import."""
    offered = [{"identifier": "buy", "title": "Buy", "options": ["foreground"], "goal": True},
               {"identifier": "later", "title": "Later"},
               {"identifier": "reply", "title": "Reply", "text_input": {"button_title": "Send", "placeholder": ""}}]
    put(collector, "/v1/categories", {"categories": [
        {"identifier": f"category-{number:02}", "options": ["customDismissAction"], "actions": offered}
        for number in range(CATEGORIES)
    ]})
    for number in range(CAMPAIGNS):
        put(collector, f"/v1/campaigns/campaign-{number:03}", {
            "name": f"Campaign {number}", "category_id": f"category-{number % CATEGORIES:02}",
            "variants": [{"id": "a", "weight": 1, "control": True}, {"id": "b", "weight": 1}],
            "goal_actions": ["buy"], "response_window": "72h",
        })


def put(collector: Collector, path: str, body: object) -> None:
    request = urllib.request.Request(
        collector.program.address + path, json.dumps(body).encode(), method="PUT",
        headers={"Authorization": "Bearer " + collector.keys["manage"], "Content-Type": "application/json"},
    )
    urllib.request.urlopen(request, timeout=60).close()


def write(options: Options, events: int) -> list[pathlib.Path]:
    """Writes about `events` events to files. Each file holds every other campaign."""
    end = int(time.time()) // 3600 * 3600 - DAY
    files = [options.directory / f"events-{number}.ndjson" for number in range(WRITERS)]
    deliveries = round(events / EVENTS_PER_DELIVERY / CAMPAIGNS)
    with concurrent.futures.ProcessPoolExecutor(WRITERS) as writers:
        list(writers.map(_write, files, range(WRITERS), [deliveries] * WRITERS, [end] * WRITERS))
    return files


def _write(file: pathlib.Path, part: int, deliveries: int, end: int) -> None:
    generator = random.Random(part)
    with file.open("w", buffering=1 << 20) as lines:
        for campaign in range(part, CAMPAIGNS, WRITERS):
            started = end - DAYS * DAY + campaign * (DAYS * DAY - WINDOW) // CAMPAIGNS
            # Events are written in chronological order.
            for number in range(deliveries):
                lines.write(_delivery(generator, campaign, number, started + number * WINDOW // deliveries, deliveries))


def _delivery(generator: random.Random, campaign: int, number: int, sent_at: int, deliveries: int) -> str:
    uniform = generator.random
    device = f"device-{int(uniform() * deliveries * 12):07}"
    platform = "ios" if (kind := uniform()) < 0.6 else "android" if kind < 0.9 else "web"
    of_delivery = (
        f'"notification_id":"n-{campaign}-{number}","device_id":"{device}","campaign_id":"campaign-{campaign:03}",'
        f'"category_id":"category-{campaign % CATEGORIES:02}","variant":"{"ab"[number & 1]}","platform":"{platform}",'
        f'"app_version":"4.{int(uniform() * 5)}.0"'
    )
    identity = f"{campaign:08x}-{number >> 16:04x}-4{number >> 4 & 0xfff:03x}-8000-{number:08x}"

    def event(place: int, fields: str, at: int) -> str:
        return f'{{"event_id":"{identity}{place:04x}",{fields},"occurred_at":"{_time(at)}"}}\n'

    events = event(0, '"kind":"sent",' + of_delivery, sent_at)
    if uniform() < 0.7:
        events += event(1, '"kind":"delivered",' + of_delivery, sent_at + 1 + int(uniform() * 20))
    roll = uniform() * (1.1 if number & 1 else 1)
    responded_at = sent_at + 30 + int(generator.expovariate(1 / 5_000))
    for kind, action, share in RESPONSES:
        if roll < share:
            text = ',"user_text":"yes please"' if kind == "text_input" else ""
            events += event(2, f'"kind":"{kind}","action_identifier":"{action}"{text},{of_delivery}', responded_at)
            break
        roll -= share
    if uniform() < 0.3:
        opened = responded_at + 5 if uniform() < 0.5 else sent_at + int(uniform() * DAY)
        events += event(3, f'"kind":"app_opened","device_id":"{device}","platform":"{platform}"', opened)
    return events


def _time(at: int) -> str:
    day, second = divmod(at, DAY)
    if day not in _days:
        _days[day] = time.strftime("%Y-%m-%dT", time.gmtime(day * DAY))
    minute, second = divmod(second, 60)
    return f"{_days[day]}{minute // 60:02}:{minute % 60:02}:{second:02}Z"


_days: dict[int, str] = {}
