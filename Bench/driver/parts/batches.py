"""Requests of 100 events, compared with a COPY of the same rows."""

import statistics

from .. import copying
from ..collector import Collector
from ..load import Load
from ..measurement import measure
from ..options import Options
from ..progress import log
from ..report import Report
from . import cpu_detail, median_measurement, median_ratio


def run(options: Options, collector: Collector, report: Report) -> None:
    load = Load(events=100, connections=64, seconds=options.seconds)
    ours, copies = [], []
    for turn in range(options.repetitions):
        ours.append(measure(collector, load))
        copies.append(copying.copy_rows(collector.database, ours[-1], collector.directory))
        log(f"requests of 100, turn {turn + 1}: {ours[-1].events_per_second:,.0f} events/s,"
            f" COPY {copies[-1]['rows_per_second']:,.0f}; CPU us/event {cpu_detail(ours[-1])}")
    rate = median_measurement(ours)
    copy_rates = [copy["rows_per_second"] for copy in copies]
    report.ratio("batches.ratio", "Requests of 100 / COPY",
                 median_ratio([one.events_per_second for one in ours], copy_rates), 0.28,
                 f"{rate.events_per_second:,.0f} events/s, 64 connections, {load.seconds} s;"
                 f" COPY {statistics.median(copy_rates):,.0f} rows/s, one connection")
    report.figure("batches.cpu", "CPU per event, requests of 100", sum(rate.cpu_microseconds.values()), "{:.1f} us",
                  detail=f"{cpu_detail(rate)}; COPY {copies[0]['cpu_microseconds']:.1f}")
    report.figure("batches.drain", "Rollups complete after the load", max(one.drain_seconds for one in ours),
                  "{:.1f} s", maximum=5,
                  detail=f"{rate.pending} of {rate.batches} batches were pending; from commit to rollup:"
                         f" median {rate.lag_p50_ms:,.0f} ms, maximum {rate.lag_max_ms:,.0f} ms")
    report.facts["batches"] = {"ours": [one.facts() for one in ours], "copy": copies}
