"""How the rate grows with the events of a request and with the number of connections."""

from ..collector import Collector
from ..load import Load
from ..measurement import Measurement, measure
from ..options import Options
from ..progress import say
from ..report import Report

EVENTS = [1, 10, 100, 1_000]
CONNECTIONS = [1, 16, 256, 1_024]


def run(options: Options, collector: Collector, report: Report) -> None:
    for events in EVENTS:
        cells = {}
        for connections in CONNECTIONS:
            # More may come in than it lets wait; what it then refuses does not count, and is not sent again at once.
            load = Load(events=events, connections=connections, seconds=max(2, options.short_seconds // 2),
                        patience_ms=1_000)
            cells[connections] = measure(collector, load, may_refuse=True)
        told = ", ".join(f"{connections:,}: {cell(one)}" for connections, one in cells.items())
        say(f"requests of {events}, by connections: {told}")
        best = max(one.events_per_second for one in cells.values())
        report.figure(f"grid.{events}", f"Events/s in requests of {events:,}, best", best, "{:,.0f}/s",
                      detail=f"by connections: {told}")
        report.facts[f"grid.{events}"] = {connections: one.facts() for connections, one in cells.items()}


def cell(one: Measurement) -> str:
    outcome = one.outcome
    lost = (outcome.refused + outcome.broken) / max(1, outcome.requests + outcome.broken)
    return f"{one.events_per_second:,.0f}" + (f" ({lost:.0%} refused)" if lost else "")
