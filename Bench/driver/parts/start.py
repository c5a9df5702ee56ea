"""How soon a collector, and its cluster, are ready on a database that exists."""

import statistics

from ..collector import Collector
from ..options import Options
from ..progress import say
from ..report import Report


def run(options: Options, collector: Collector, report: Report) -> None:
    times = []
    for _ in range(3):
        collector.stop()
        times.append(collector.start())
    say("ready after " + ", ".join(f"{seconds:.2f} s" for seconds in times))
    report.figure("start.ready", "Ready after its start", statistics.median(times), "{:.2f} s", most=1,
                  detail="until /readyz answers 200, the start of its PostgreSQL included")
    report.facts["start"] = times
