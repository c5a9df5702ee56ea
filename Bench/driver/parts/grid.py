"""The event rate by events per request and number of connections."""

from ..collector import Collector
from ..load import Load
from ..measurement import Measurement, measure
from ..options import Options
from ..progress import log
from ..report import Report

EVENTS = [1, 10, 100, 1_000]
CONNECTIONS = [1, 16, 256, 1_024]


def run(options: Options, collector: Collector, report: Report) -> None:
    for events in EVENTS:
        cells = {}
        for connections in CONNECTIONS:
            # The load may exceed the queue. Rejected requests don't count, and are retried after a delay.
            load = Load(events=events, connections=connections, seconds=max(2, options.short_seconds // 2),
                        retry_delay_ms=1_000)
            cells[connections] = measure(collector, load, allow_rejections=True)
        rates = ", ".join(f"{connections:,}: {cell(one)}" for connections, one in cells.items())
        log(f"requests of {events}, by connections: {rates}")
        best = max(one.events_per_second for one in cells.values())
        report.figure(f"grid.{events}", f"Events/s in requests of {events:,}, best", best, "{:,.0f}/s",
                      detail=f"by connections: {rates}")
        report.facts[f"grid.{events}"] = {connections: one.facts() for connections, one in cells.items()}


def cell(one: Measurement) -> str:
    outcome = one.outcome
    failed = (outcome.rejected + outcome.broken) / max(1, outcome.requests + outcome.broken)
    return f"{one.events_per_second:,.0f}" + (f" ({failed:.0%} rejected)" if failed else "")
