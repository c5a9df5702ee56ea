"""Requests of 100 as a client of Segment posts them, compared with native ones in turns."""

from ..collector import Collector
from ..load import Load
from ..measurement import measure
from ..options import Options
from ..progress import log
from ..report import Report
from . import cpu_detail, median_measurement, median_ratio


def run(options: Options, collector: Collector, report: Report) -> None:
    results = {"native": [], "segment": [], "ignored": []}
    for turn in range(options.repetitions):
        for format, measurements in results.items():
            load = Load(events=100, connections=64, seconds=options.short_seconds, format=format)
            measurements.append(measure(collector, load))
            log(f"{format}, turn {turn + 1}: {measurements[-1].events_per_second:,.0f} events/s;"
                f" CPU us/event {cpu_detail(measurements[-1])}")
    native, segment, ignored = (results[format] for format in results)
    report.ratio("dialects.segment", "Requests of 100 of Segment's client / native",
                 median_ratio([one.events_per_second for one in segment], [one.events_per_second for one in native]), 0.8,
                 f"{median_measurement(segment).events_per_second:,.0f} events/s")
    cost = [own.cpu_microseconds["collector"] + own.cpu_microseconds["postgres"] for own in ignored]
    whole = [own.cpu_microseconds["collector"] + own.cpu_microseconds["postgres"] for own in native]
    report.ratio("dialects.ignored", "CPU of native events / of ignored ones", median_ratio(whole, cost), 4,
                 f"an ignored event {cost[0]:.1f} us, a native one {whole[0]:.1f}")
    report.facts["dialects"] = {format: [one.facts() for one in all] for format, all in results.items()}
