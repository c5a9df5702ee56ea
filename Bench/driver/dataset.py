"""A quarter of a year of an app as NDJSON: what `make bench --only reports` imports.

Four deliveries make ten events. 200 campaigns of two variants, each sent within six hours; 40 categories of three
actions; devices that get many notifications.
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
    """Categories and campaigns, before anything comes in."""
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
    """About so many events, in files of which each holds every other campaign."""
    end = int(time.time()) // 3600 * 3600 - DAY
    files = [options.directory / f"events-{number}.ndjson" for number in range(WRITERS)]
    deliveries = round(events / EVENTS_PER_DELIVERY / CAMPAIGNS)
    with concurrent.futures.ProcessPoolExecutor(WRITERS) as writers:
        list(writers.map(_write, files, range(WRITERS), [deliveries] * WRITERS, [end] * WRITERS))
    return files


def _write(file: pathlib.Path, part: int, deliveries: int, end: int) -> None:
    chance = random.Random(part)
    with file.open("w", buffering=1 << 20) as lines:
        for campaign in range(part, CAMPAIGNS, WRITERS):
            begun = end - DAYS * DAY + campaign * (DAYS * DAY - WINDOW) // CAMPAIGNS
            # In the order in which it happened, an hour at a time.
            for number in range(deliveries):
                lines.write(_delivery(chance, campaign, number, begun + number * WINDOW // deliveries, deliveries))


def _delivery(chance: random.Random, campaign: int, number: int, sent_at: int, deliveries: int) -> str:
    draw = chance.random
    device = f"device-{int(draw() * deliveries * 12):07}"
    platform = "ios" if (kind := draw()) < 0.6 else "android" if kind < 0.9 else "web"
    of_delivery = (
        f'"notification_id":"n-{campaign}-{number}","device_id":"{device}","campaign_id":"campaign-{campaign:03}",'
        f'"category_id":"category-{campaign % CATEGORIES:02}","variant":"{"ab"[number & 1]}","platform":"{platform}",'
        f'"app_version":"4.{int(draw() * 5)}.0"'
    )
    identity = f"{campaign:08x}-{number >> 16:04x}-4{number >> 4 & 0xfff:03x}-8000-{number:08x}"

    def event(place: int, fields: str, at: int) -> str:
        return f'{{"event_id":"{identity}{place:04x}",{fields},"occurred_at":"{_time(at)}"}}\n'

    told = event(0, '"kind":"sent",' + of_delivery, sent_at)
    if draw() < 0.7:
        told += event(1, '"kind":"delivered",' + of_delivery, sent_at + 1 + int(draw() * 20))
    luck = draw() * (1.1 if number & 1 else 1)
    answered_at = sent_at + 30 + int(chance.expovariate(1 / 5_000))
    for kind, action, share in RESPONSES:
        if luck < share:
            text = ',"user_text":"yes please"' if kind == "text_input" else ""
            told += event(2, f'"kind":"{kind}","action_identifier":"{action}"{text},{of_delivery}', answered_at)
            break
        luck -= share
    if draw() < 0.3:
        opened = answered_at + 5 if draw() < 0.5 else sent_at + int(draw() * DAY)
        told += event(3, f'"kind":"app_opened","device_id":"{device}","platform":"{platform}"', opened)
    return told


def _time(at: int) -> str:
    day, second = divmod(at, DAY)
    if day not in _days:
        _days[day] = time.strftime("%Y-%m-%dT", time.gmtime(day * DAY))
    minute, second = divmod(second, 60)
    return f"{_days[day]}{minute // 60:02}:{minute % 60:02}:{second:02}Z"


_days: dict[int, str] = {}
