"""Starts and stops a server program."""

import pathlib
import re
import subprocess
import threading
import time
import urllib.error
import urllib.request

LISTENING = re.compile(r"listening on (http://127\.0\.0\.1:\d+)")


class Program:
    """A running server. As a context manager it stops the server on exit."""

    def __init__(self, arguments: list[str]):
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            start_new_session=True,  # only the benchmark gets Ctrl-C, and then stops the server
        )
        self.output: list[str] = []
        self.listening = threading.Event()
        self.address = ""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stderr:
            if match := LISTENING.search(line):
                self.address = match[1]
                self.listening.set()
            self.output = self.output[-50:] + [line]
        self.listening.set()

    def wait_until_ready(self, seconds: float = 120) -> float:
        """Waits until /readyz returns 200; returns the seconds since the start."""
        self.listening.wait(seconds)
        while self.process.poll() is None and self.address and time.monotonic() < self.started + seconds:
            try:
                with urllib.request.urlopen(self.address + "/readyz", timeout=5):
                    return time.monotonic() - self.started
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.005)
        self.stop()
        raise RuntimeError(f"{self.process.args[0]} was not ready:\n" + "".join(self.output))

    def metric(self, name: str, label: str = "") -> float:
        """The sum of a metric's values in /metrics, restricted to `label` if it is given."""
        with urllib.request.urlopen(self.address + "/metrics", timeout=60) as answer:
            lines = answer.read().decode().splitlines()
        values = [line for line in lines if re.match(rf"{name}[{{ ]", line) and label in line]
        return sum(float(line.rpartition(" ")[2]) for line in values)

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def name(self) -> str:
        return pathlib.Path(self.process.args[0]).name

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
