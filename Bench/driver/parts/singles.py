"""Single events, compared with a handler that only decodes and responds."""

import statistics

from ..bare import BareHandler
from ..collector import Collector
from ..load import Load
from ..measurement import Measurement, measure
from ..options import Options
from ..progress import log
from ..report import Report
from . import cpu_detail, median_measurement, median_ratio


def load(options: Options, rate: float = 0) -> Load:
    return Load(events=1, connections=256, seconds=options.short_seconds, rate=rate, lag=500)


def run(options: Options, collector: Collector, report: Report) -> None:
    ours: list[Measurement] = []
    bare: dict[str, list[dict[str, float]]] = {"reader": [], "decoder": []}
    with BareHandler(options, "reader") as reader, BareHandler(options, "decoder") as decoder:
        for turn in range(options.repetitions):
            ours.append(measure(collector, load(options)))
            bare["reader"].append(reader.run(load(options)))
            bare["decoder"].append(decoder.run(load(options)))
            log(f"single events, turn {turn + 1}: {ours[-1].events_per_second:,.0f} requests/s, bare handler"
                f" {bare['reader'][-1]['requests_per_second']:,.0f}, with JSONDecoder"
                f" {bare['decoder'][-1]['requests_per_second']:,.0f}; CPU us/event {cpu_detail(ours[-1])}")
    rate = median_measurement(ours)
    rates = {name: [one["requests_per_second"] for one in all] for name, all in bare.items()}
    report.ratio("singles.ratio", "Single events / bare handler",
                 median_ratio([one.events_per_second for one in ours], rates["reader"]), 0.25,
                 f"{rate.events_per_second:,.0f} requests/s, 256 connections, {options.short_seconds} s;"
                 f" bare handler {statistics.median(rates['reader']):,.0f},"
                 f" with JSONDecoder {statistics.median(rates['decoder']):,.0f}")
    handler = bare["reader"][0]
    report.figure("singles.cpu", "CPU per event, single events", sum(rate.cpu_microseconds.values()), "{:.1f} us",
                  detail=f"{cpu_detail(rate)}; bare handler {handler['cpu_microseconds']:.1f}"
                         f" + load {handler['load_cpu_microseconds']:.1f}")
    report.facts["singles"] = {"ours": [one.facts() for one in ours], "bare": bare}
