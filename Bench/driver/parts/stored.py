"""Requests of 100 on a filled database, compared with an empty one."""

from ..collector import Collector
from ..filling import NoSpace, fill
from ..load import Load
from ..measurement import measure
from ..options import Options
from ..progress import log
from ..report import Report
from . import cpu_detail, median_measurement, median_ratio, warm_up


def run(options: Options, report: Report) -> None:
    load = Load(events=100, connections=64, seconds=options.seconds)
    ours, empty = [], []
    with Collector(options) as full, Collector(options) as fresh:
        try:
            filled = fill(full, options.stored)
        except NoSpace as error:
            log(f"skipping the part stored: {error}")
            return
        log(f"{filled['events']:,} events stored in {filled['seconds']:,.0f} s, {filled['gib']:.1f} GiB")
        for collector in [full, fresh]:
            warm_up(collector)
        for turn in range(options.repetitions):
            ours.append(measure(full, load))
            empty.append(measure(fresh, load))
            log(f"turn {turn + 1}: {ours[-1].events_per_second:,.0f} events/s on the filled database,"
                f" {empty[-1].events_per_second:,.0f} on the empty one; CPU us/event {cpu_detail(ours[-1])}")
    rate = median_measurement(ours)
    report.ratio("stored.ratio", f"With {filled['events'] / 1e6:,.0f} million events stored / empty",
                 median_ratio([one.events_per_second for one in ours], [one.events_per_second for one in empty]), 0.8,
                 f"{rate.events_per_second:,.0f} events/s in requests of 100, 64 connections, {load.seconds} s;"
                 f" empty {median_measurement(empty).events_per_second:,.0f};"
                 f" rollups complete after {max(one.drain_seconds for one in ours):.1f} s")
    report.facts["stored"] = {
        "filled": filled, "ours": [one.facts() for one in ours], "empty": [one.facts() for one in empty],
    }
