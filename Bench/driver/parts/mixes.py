"""Requests of 100 in other mixes than that of all other rows."""

from ..collector import Collector
from ..load import Load
from ..measurement import measure
from ..options import Options
from ..progress import say
from ..report import Report
from . import cpu_detail

TITLES = {"gathered": "a delivery's 3 together", "scattered": "each of another delivery"}


def run(options: Options, collector: Collector, report: Report) -> None:
    for mix, title in TITLES.items():
        ours = measure(collector, Load(events=100, connections=64, seconds=options.short_seconds, mix=mix))
        say(f"{mix}: {ours.events_per_second:,.0f} events/s; CPU us/event {cpu_detail(ours)}")
        report.figure(f"mixes.{mix}", f"Requests of 100, {title}", ours.events_per_second, "{:,.0f}/s",
                      detail=f"CPU us/event {cpu_detail(ours)}; rollups done after {ours.drain_seconds:.1f} s")
        report.facts[f"mixes.{mix}"] = ours.facts()
