"""The parts of a run, by name. Each adds its rows to the report."""

import statistics

from . import copying
from .bare import BareHandler
from .collector import Collector
from .load import Load
from .measurement import Measurement, measure
from .options import Options
from .progress import say
from .report import Report


def cpu_detail(measurement: Measurement) -> str:
    cpu = measurement.cpu_microseconds
    return f"collector {cpu['collector']:.1f} + PostgreSQL {cpu['postgres']:.1f} + load {cpu['load']:.1f}"


def middle(measurements: list[Measurement]) -> Measurement:
    """That with the median rate."""
    return sorted(measurements, key=lambda one: one.events_per_second)[(len(measurements) - 1) // 2]


def warm_up(collector: Collector) -> None:
    measure(collector, Load(events=100, connections=16, seconds=2))


def batches(options: Options, collector: Collector, report: Report) -> None:
    """Requests of 100 against COPY of the rows that they stored."""
    load = Load(events=100, connections=64, seconds=options.seconds)
    ours, copies = [], []
    for turn in range(options.repetitions):
        ours.append(measure(collector, load))
        copies.append(copying.copy_rows(collector.database, ours[-1], collector.directory))
        say(f"requests of 100, turn {turn + 1}: {ours[-1].events_per_second:,.0f} events/s,"
            f" COPY {copies[-1]['rows_per_second']:,.0f}; CPU us/event {cpu_detail(ours[-1])}")
    ratio = statistics.median(
        one.events_per_second / copy["rows_per_second"] for one, copy in zip(ours, copies, strict=True))
    rate = middle(ours)
    copy_rate = statistics.median(copy["rows_per_second"] for copy in copies)
    report.ratio("batches.ratio", "Requests of 100 / COPY", ratio, 0.28,
                 f"{rate.events_per_second:,.0f} events/s, 64 connections, {load.seconds} s;"
                 f" COPY {copy_rate:,.0f} rows/s, one connection")
    report.figure("batches.cpu", "CPU per event, requests of 100", sum(rate.cpu_microseconds.values()), "{:.1f} us",
                  detail=f"{cpu_detail(rate)}; COPY {copies[0]['cpu_microseconds']:.1f}")
    report.figure("batches.drain", "Rollups done after the load", max(one.drain_seconds for one in ours), "{:.1f} s",
                  most=5, detail=f"{rate.waiting} of {rate.batches} batches waited; in the rollups"
                                 f" {rate.lag_p50_ms:,.0f} ms after their commit, at most {rate.lag_max_ms:,.0f} ms")
    report.figure("batches.memory", "Memory at full load", max(one.memory_mib for one in ours), "{:.0f} MiB", most=150)
    report.facts["batches"] = {"ours": [one.facts() for one in ours], "copy": copies}


def mixes(options: Options, collector: Collector, report: Report) -> None:
    """Other mixes than the one of all other rows."""
    for mix, title in [("gathered", "the 3 events of a delivery side by side"), ("scattered", "each of another delivery")]:
        ours = measure(collector, Load(events=100, connections=64, seconds=options.short_seconds, mix=mix))
        say(f"{mix}: {ours.events_per_second:,.0f} events/s; CPU us/event {cpu_detail(ours)}")
        report.figure(f"mixes.{mix}", f"Requests of 100, {title}", ours.events_per_second, "{:,.0f}/s",
                      detail=f"CPU us/event {cpu_detail(ours)}; rollups done after {ours.drain_seconds:.1f} s")
        report.facts[f"mixes.{mix}"] = ours.facts()


def singles(options: Options, collector: Collector, report: Report) -> None:
    """Single events against a handler that decodes and answers."""
    load = Load(events=1, connections=256, seconds=options.short_seconds, lag=500)
    ours, bare = [], []
    with BareHandler(options) as handler:
        for turn in range(options.repetitions):
            ours.append(measure(collector, load))
            bare.append(handler.run(load))
            say(f"single events, turn {turn + 1}: {ours[-1].events_per_second:,.0f} requests/s, bare handler"
                f" {bare[-1]['requests_per_second']:,.0f}; CPU us/event {cpu_detail(ours[-1])}")
    ratio = statistics.median(
        one.events_per_second / other["requests_per_second"] for one, other in zip(ours, bare, strict=True))
    rate = middle(ours)
    bare_rate = statistics.median(other["requests_per_second"] for other in bare)
    report.ratio("singles.ratio", "Single events / bare handler", ratio, 0.25,
                 f"{rate.events_per_second:,.0f} requests/s, 256 connections, {load.seconds} s;"
                 f" bare handler {bare_rate:,.0f}")
    report.figure("singles.cpu", "CPU per event, single events", sum(rate.cpu_microseconds.values()), "{:.1f} us",
                  detail=f"{cpu_detail(rate)}; bare handler {bare[0]['cpu_microseconds']:.1f}"
                         f" + load {bare[0]['load_cpu_microseconds']:.1f}")
    report.facts["singles"] = {"ours": [one.facts() for one in ours], "bare": bare}
