"""How long an acknowledgement takes at half of the rate of single events."""

from ..collector import Collector
from ..measurement import measure
from ..options import Options
from ..progress import say
from ..report import Report
from . import singles


def run(options: Options, collector: Collector, report: Report) -> None:
    turns = []
    for _ in range(options.repetitions):
        # The rate of this minute: machines are not as fast in one as in the next.
        full = measure(collector, singles.load(options)).events_per_second
        turns.append(measure(collector, singles.load(options, rate=full / 2)).outcome)
        say(f"at {turns[-1].requests_per_second:,.0f} requests/s: p50 {turns[-1].p50_ms:.1f} ms,"
            f" p99 {turns[-1].p99_ms:.1f} ms, sent late by {turns[-1].late_p99_ms:.0f} ms")
    one = sorted(turns, key=lambda turn: turn.p99_ms)[(len(turns) - 1) // 2]
    # The clock of a request starts when it is sent; the plan does not wait for answers.
    detail = (f"p90 {one.p90_ms:.1f} ms, most {one.max_ms:.1f} ms, at {one.requests_per_second:,.0f} requests/s"
              f" on 256 connections; 99 % were sent less than {one.late_p99_ms:.0f} ms late")
    report.figure("latency.p50", "Acknowledgement at half of it, p50", one.p50_ms, "{:.1f} ms")
    report.figure("latency.p99", "Acknowledgement at half of it, p99", one.p99_ms, "{:.1f} ms", most=25, detail=detail)
    report.facts["latency"] = [vars(turn) | {"load": vars(turn.load)} for turn in turns]
