"""The time until a collector and its cluster are ready, with an existing database."""

import statistics

from ..collector import Collector
from ..options import Options
from ..progress import log
from ..report import Report


def run(options: Options, collector: Collector, report: Report) -> None:
    times = []
    for _ in range(3):
        collector.stop()
        times.append(collector.start())
    log("ready after " + ", ".join(f"{seconds:.2f} s" for seconds in times))
    report.figure("start.ready", "Time until ready", statistics.median(times), "{:.2f} s", maximum=1,
                  detail="until /readyz returns 200, including the start of its PostgreSQL")
    report.facts["start"] = times
