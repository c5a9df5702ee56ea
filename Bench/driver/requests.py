"""The same request again and again over one connection, and how long its answers took."""

import http.client
import time
import urllib.parse

from .collector import Collector


class Requests:
    def __init__(self, collector: Collector):
        address = urllib.parse.urlparse(collector.program.address)
        self.connection = http.client.HTTPConnection(address.hostname, address.port, timeout=300)
        self.headers = {"Authorization": "Bearer " + collector.keys["read"]}

    def milliseconds(self, path: str, times: int) -> list[float]:
        """Sorted. The first two don't count: statements are prepared in them, and files read."""
        taken = []
        for _ in range(times + 2):
            begun = time.perf_counter()
            self.connection.request("GET", path, headers=self.headers)
            answer = self.connection.getresponse()
            body = answer.read()
            taken.append((time.perf_counter() - begun) * 1000)
            if answer.status != 200:
                raise RuntimeError(f"{path}: {answer.status} {body[:300]}")
        return sorted(taken[2:])

    def p95(self, path: str, times: int) -> float:
        taken = self.milliseconds(path, times)
        return taken[min(len(taken) - 1, round(len(taken) * 0.95))]
