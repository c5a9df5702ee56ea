"""Requests of 100 in mixes other than `spread`, which all other parts use."""

from ..collector import Collector
from ..load import Load
from ..measurement import measure
from ..options import Options
from ..progress import log
from ..report import Report
from . import cpu_detail

TITLES = {"gathered": "3 events per delivery together", "scattered": "one event per delivery"}


def run(options: Options, collector: Collector, report: Report) -> None:
    for mix, title in TITLES.items():
        ours = measure(collector, Load(events=100, connections=64, seconds=options.short_seconds, mix=mix))
        log(f"{mix}: {ours.events_per_second:,.0f} events/s; CPU us/event {cpu_detail(ours)}")
        report.figure(f"mixes.{mix}", f"Requests of 100, {title}", ours.events_per_second, "{:,.0f}/s",
                      detail=f"CPU us/event {cpu_detail(ours)}; rollups complete after {ours.drain_seconds:.1f} s")
        report.facts[f"mixes.{mix}"] = ours.facts()
