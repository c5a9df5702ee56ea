"""Memory growth during ten minutes of full load."""

import statistics
import threading

from ..collector import Collector
from ..load import Load
from ..measurement import measure
from ..options import Options
from ..processes import memory_mib
from ..progress import log
from ..report import Report
from .memory import restart


def run(options: Options, collector: Collector, report: Report) -> None:
    restart(collector)
    samples: list[float] = []
    ended = threading.Event()

    def sample() -> None:
        while not ended.wait(1):
            samples.append(memory_mib(collector.program.pid, "VmRSS"))

    sampler = threading.Thread(target=sample, daemon=True)
    sampler.start()
    try:
        ours = measure(collector, Load(events=100, connections=64, seconds=options.soak_seconds))
    finally:
        ended.set()
        sampler.join()
    part = max(1, options.soak_seconds // 10)
    early = statistics.mean(samples[part : 2 * part])
    late = statistics.mean(samples[options.soak_seconds - part : options.soak_seconds])
    log(f"memory over {options.soak_seconds} s: {early:.0f} MiB at the start, {late:.0f} MiB at the end")
    report.figure("soak.growth", f"Memory growth over {options.soak_seconds} s", late - early, "{:+.1f} MiB",
                  maximum=10,
                  detail=f"{early:.0f} MiB in the second tenth, {late:.0f} MiB in the last;"
                         f" {ours.events_per_second:,.0f} events/s, rollups complete after {ours.drain_seconds:.1f} s")
    report.facts["soak"] = ours.facts() | {"memory_mib_by_second": samples}
