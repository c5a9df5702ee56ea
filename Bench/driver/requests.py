"""Repeats a request and measures its response times."""

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
        started = time.perf_counter()
        self.connection.request("GET", path, headers=self.headers)
        response = self.connection.getresponse()
        body = response.read()
        took = (time.perf_counter() - started) * 1000
        if response.status != 200:
            raise RuntimeError(f"{path}: {response.status} {body[:300]}")
        return took


def milliseconds_in_turns(collectors: list[Requests], path: str, times: int) -> list[list[float]]:
    """The response times of each collector. They take turns, so that a slow phase of the machine affects all of them.

    The first two responses don't count, because they prepare statements and read files.
    """
    rounds = [[one.milliseconds(path) for one in collectors] for _ in range(times + 2)]
    return [list(taken) for taken in zip(*rounds[2:])]


def p95(taken: list[float]) -> float:
    return sorted(taken)[min(len(taken) - 1, round(len(taken) * 0.95))]
