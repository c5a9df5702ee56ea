"""Merging stored events into the rollups, with one connection and with two, while nothing is stored."""

import concurrent.futures
import os
import signal
import statistics
import subprocess
import time

from .. import load as wrk
from ..collector import Collector
from ..load import Load
from ..options import Options
from ..progress import log
from ..report import Report
from . import median_ratio

# What each connection merges: all slices of devices, or two of the four.
ONE, TWO = ["null"], ["'{0,2}'", "'{1,3}'"]


def run(options: Options, collector: Collector, report: Report) -> None:
    rates: dict[int, list[float]] = {1: [], 2: []}
    for turn in range(options.repetitions):
        for connections in [ONE, TWO]:
            rates[len(connections)].append(merge(options, collector, connections))
        log(f"merges, turn {turn + 1}: {rates[1][-1]:,.0f} events/s, on two connections {rates[2][-1]:,.0f}")
    report.ratio("merges.two", "Merges on two connections / on one", median_ratio(rates[2], rates[1]), 1.6,
                 f"{statistics.median(rates[2]):,.0f} events/s and {statistics.median(rates[1]):,.0f}")
    report.facts["merges"] = rates


def merge(options: Options, collector: Collector, connections: list[str]) -> float:
    """Stores events while nothing is merged, then merges them. Returns the events per second."""
    database = collector.database
    database.wait_for_rollups()
    with Lock(database.url):
        wrk.run(Load(events=100, connections=64, seconds=options.short_seconds), collector.program.address,
                collector.keys)
        # The collector must not merge.
        os.kill(collector.program.pid, signal.SIGSTOP)
    try:
        events = database.number("select sum(events) from afterpush.batches where rolled_up_at is null")
        begun = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(len(connections)) as sessions:
            list(sessions.map(lambda slices: database.value(statement(slices)), connections))
        seconds = time.monotonic() - begun
        left = database.number("select sum(events) from afterpush.batches where rolled_up_at is null")
    finally:
        os.kill(collector.program.pid, signal.SIGCONT)
    return (events - left) / seconds


def statement(slices: str) -> str:
    return ("do $$ begin loop"
            f" exit when coalesce(afterpush.roll_up(50000, slices => {slices}), 0) = 0; commit;"
            " end loop; end $$")


class Lock:
    """Holds the lock of the rollup worker."""

    def __init__(self, url: str):
        self.psql = subprocess.Popen(
            ["psql", "--no-psqlrc", "--quiet", "--tuples-only", url], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> "Lock":
        self.psql.stdin.write("begin; select 'locked' from afterpush.rollup_worker for update;\n")
        self.psql.stdin.flush()
        self.psql.stdout.readline()
        return self

    def __exit__(self, *_: object) -> None:
        self.psql.communicate()
