"""The latency of acknowledgements at half the maximum rate of single events."""

from ..collector import Collector
from ..measurement import measure
from ..options import Options
from ..progress import log
from ..report import Report
from . import singles


def run(options: Options, collector: Collector, report: Report) -> None:
    known = report.facts.get("singles")
    rates = [one["events_per_second"] for one in known["ours"]] if known else [
        measure(collector, singles.load(options)).events_per_second
    ]
    half = sorted(rates)[(len(rates) - 1) // 2] / 2
    turns = []
    for _ in range(options.repetitions):
        turns.append(measure(collector, singles.load(options, rate=half)).outcome)
        log(f"at {turns[-1].requests_per_second:,.0f} requests/s: p50 {turns[-1].p50_ms:.1f} ms,"
            f" p99 {turns[-1].p99_ms:.1f} ms, requests sent {turns[-1].late_p99_ms:.0f} ms late")
    one = sorted(turns, key=lambda turn: turn.p99_ms)[(len(turns) - 1) // 2]
    # A request's latency counts from when it is sent. The schedule does not wait for responses.
    detail = (f"p90 {one.p90_ms:.1f} ms, maximum {one.max_ms:.1f} ms, at {one.requests_per_second:,.0f} requests/s"
              f" on 256 connections; 99% were sent less than {one.late_p99_ms:.0f} ms late")
    report.figure("latency.p50", "Acknowledgement at half that rate, p50", one.p50_ms, "{:.1f} ms")
    report.figure("latency.p99", "Acknowledgement at half that rate, p99", one.p99_ms, "{:.1f} ms", maximum=25,
                  detail=detail)
    report.facts["latency"] = [vars(turn) | {"load": vars(turn.load)} for turn in turns]
