"""The parts of a run. Each module has `run`, which adds its rows to the report."""

import statistics

from ..collector import Collector
from ..load import Load
from ..measurement import Measurement, measure


def warm_up(collector: Collector) -> None:
    measure(collector, Load(events=100, connections=16, seconds=2))


def middle(measurements: list[Measurement]) -> Measurement:
    """That with the median rate; of two, the slower."""
    return sorted(measurements, key=lambda one: one.events_per_second)[(len(measurements) - 1) // 2]


def median_ratio(ours: list[float], others: list[float]) -> float:
    """Of the ratios of each turn: what disturbs one turn disturbs both of its sides."""
    return statistics.median(one / other for one, other in zip(ours, others, strict=True))


def cpu_detail(measurement: Measurement) -> str:
    cpu = measurement.cpu_microseconds
    return f"collector {cpu['collector']:.1f} + PostgreSQL {cpu['postgres']:.1f} + load {cpu['load']:.1f}"
