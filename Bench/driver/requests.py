"""The same request again and again, and how long its answers took."""

import http.client
import time
import urllib.parse

from .collector import Collector


class Requests:
    def __init__(self, collector: Collector):
        address = urllib.parse.urlparse(collector.program.address)
        self.connection = http.client.HTTPConnection(address.hostname, address.port, timeout=300)
        self.headers = {"Authorization": "Bearer " + collector.keys["read"]}

    def milliseconds(self, path: str) -> float:
        begun = time.perf_counter()
        self.connection.request("GET", path, headers=self.headers)
        answer = self.connection.getresponse()
        body = answer.read()
        took = (time.perf_counter() - begun) * 1000
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {body[:300]}")
        return took


def milliseconds_in_turns(collectors: list[Requests], path: str, times: int) -> list[list[float]]:
    """Of each collector. They take turns, so that a machine that slows down for a while does so for all.

    The first two answers of each don't count: statements are prepared in them, and files read.
    """
    rounds = [[one.milliseconds(path) for one in collectors] for _ in range(times + 2)]
    return [list(taken) for taken in zip(*rounds[2:])]


def p95(taken: list[float]) -> float:
    return sorted(taken)[min(len(taken) - 1, round(len(taken) * 0.95))]
