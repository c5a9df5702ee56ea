"""The parts of a run. Each module has a function `run` that adds rows to the report."""

import statistics

from ..collector import Collector
from ..load import Load
from ..measurement import Measurement, measure


def warm_up(collector: Collector) -> None:
    measure(collector, Load(events=100, connections=16, seconds=2))


def median_measurement(measurements: list[Measurement]) -> Measurement:
    """The measurement with the median rate; the slower one if two are in the middle."""
    return sorted(measurements, key=lambda one: one.events_per_second)[(len(measurements) - 1) // 2]


def median_ratio(ours: list[float], others: list[float]) -> float:
    """The median of the ratios of each turn, because a disturbance affects both sides of a turn."""
    return statistics.median(one / other for one, other in zip(ours, others, strict=True))


def cpu_detail(measurement: Measurement) -> str:
    cpu = measurement.cpu_microseconds
    return f"collector {cpu['collector']:.1f} + PostgreSQL {cpu['postgres']:.1f} + load {cpu['load']:.1f}"
