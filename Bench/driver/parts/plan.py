"""The costs that `afterpush plan` multiplies, compared with those of this run."""

import json
import subprocess

from ..collector import Collector
from ..load import Load
from ..measurement import measure
from ..options import Options
from ..progress import log
from ..report import Report
from . import singles

# A plan must not promise that a machine does with much less than was measured; it may be cautious. The room below 1 is
# for machines of another speed, and for other programs beside the load.
LEAST, MOST = 0.7, 2.0


def run(options: Options, collector: Collector, report: Report) -> None:
    costs = planned(options)
    batch = measured(report, "batches") or measure(
        collector, Load(events=100, connections=64, seconds=options.seconds)).facts()
    single = measured(report, "singles") or measure(collector, singles.load(options)).facts()
    for kind, title, facts in [("batch", "requests of 100", batch), ("single", "single events", single)]:
        for name, what, spent in [
            ("collector", "collector", facts["cpu_microseconds"]["collector"]),
            ("storing", "storing", facts["role_cpu_microseconds"]["ingest"]),
            ("rollup", "rollup worker", facts["role_cpu_microseconds"]["worker"]),
        ]:
            compare(report, f"{name}_{kind}", f"Plan, CPU of {what}, {title}", costs, spent, "us")
    compare(report, "wal", "Plan, WAL per event", costs, batch["bytes_written"]["wal"], "bytes")
    # The plan is for events that are spread over all hours, which takes more than a load of one hour.
    compare(report, "disk", "Plan, disk per event", costs, batch["bytes_written"]["disk"], "bytes")
    report.facts["plan"] = costs


def planned(options: Options) -> dict[str, float]:
    command = [str(options.binaries / "afterpush"), "plan", "--events-per-second", "1000", "--format", "json"]
    done = subprocess.run(command, text=True, capture_output=True, check=True)
    return {cost["name"]: cost["value"] for cost in json.loads(done.stdout)["costs"]}


def measured(report: Report, part: str) -> dict | None:
    """The median measurement of a part that ran before."""
    known = report.facts.get(part)
    if not known:
        return None
    return sorted(known["ours"], key=lambda one: one["events_per_second"])[(len(known["ours"]) - 1) // 2]


def compare(report: Report, name: str, title: str, costs: dict[str, float], spent: float, unit: str) -> None:
    log(f"{title}: planned {costs[name]:,.1f} {unit}, measured {spent:,.1f}")
    report.ratio(f"plan.{name}", f"{title}, planned / measured", costs[name] / max(spent, 1e-9), LEAST,
                 f"{costs[name]:,.1f} {unit}, measured {spent:,.1f}", MOST)
