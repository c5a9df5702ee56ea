"""One load on a collector: what it stored, how soon the rollups had it, and what that cost."""

import dataclasses

from . import load as wrk
from .collector import Collector
from .load import Load, Outcome
from .processes import cpu_seconds, family_cpu_seconds, memory_mib


class Mismatch(RuntimeError):
    """What was answered and what is stored differ: no number of such a run means anything."""


@dataclasses.dataclass(frozen=True)
class Measurement:
    outcome: Outcome
    first_batch: int  # the batches after this one are those of the load
    batches: int
    stored: int
    waiting: int  # batches not in the rollups when the load ended
    drain_seconds: float  # until they were
    lag_p50_ms: float  # from a batch's commit to its rollup
    lag_max_ms: float
    cpu_microseconds: dict[str, float]  # per event, until the rollups were done
    memory_mib: float  # the most that the collector held since it was started

    @property
    def events_per_second(self) -> float:
        return self.outcome.events_per_second

    def facts(self) -> dict[str, object]:
        """For the JSON."""
        return dataclasses.asdict(self) | {"events_per_second": self.events_per_second}


def measure(collector: Collector, load: Load, may_refuse: bool = False) -> Measurement:
    database = collector.database
    # What was written before must not be flushed during the load.
    database.value("checkpoint")
    first_batch = int(database.value("select coalesce(max(batch_id), 0) from afterpush.batches"))
    postmaster = database.postmaster
    before = cpu_seconds(collector.program.pid), family_cpu_seconds(postmaster)
    spooled_before = spooled_requests(collector)
    outcome = wrk.run(load, collector.program.address, collector.keys)
    waiting = int(database.value("select count(*) from afterpush.batches where rolled_up_at is null"))
    drain_seconds = collector.settle(2 if may_refuse else 0.2)
    after = cpu_seconds(collector.program.pid), family_cpu_seconds(postmaster)
    batches, stored, duplicates, rejected, lag_p50, lag_max = map(
        float, database.file("batches.sql", after=first_batch).split("\t")
    )
    check(outcome, stored, duplicates, rejected, may_refuse)
    spooled = spooled_requests(collector) - spooled_before
    if spooled and not may_refuse:
        raise Mismatch(f"{spooled:.0f} requests were in the spool, not in PostgreSQL, when they were acknowledged")
    used = {
        "collector": after[0] - before[0], "postgres": after[1] - before[1], "load": outcome.cpu_seconds,
    }
    return Measurement(
        outcome=outcome, first_batch=first_batch, batches=int(batches), stored=int(stored), waiting=waiting,
        drain_seconds=drain_seconds, lag_p50_ms=lag_p50, lag_max_ms=lag_max,
        cpu_microseconds={name: seconds * 1e6 / max(stored, 1) for name, seconds in used.items()},
        memory_mib=memory_mib(collector.program.pid, "VmHWM"),
    )


def spooled_requests(collector: Collector) -> float:
    return collector.program.metric("afterpush_http_requests_total", 'status="202"')


def check(outcome: Outcome, stored: float, duplicates: float, rejected: float, may_refuse: bool) -> None:
    """Every acknowledged event is stored; of the others only such as were cut off by the end of the load, or answered
    that they have to be sent again."""
    events = outcome.load.events
    least = outcome.acknowledged * events
    most = least + (outcome.load.connections + outcome.refused + outcome.broken) * events
    if duplicates or rejected:
        raise Mismatch(f"{duplicates:.0f} duplicates, {rejected:.0f} rejected: all events are new and right")
    if not least <= stored <= most:
        raise Mismatch(f"{least} events were acknowledged, {stored:.0f} are stored; {outcome}")
    if (outcome.refused or outcome.broken) and not may_refuse:
        raise Mismatch(f"{outcome.refused} of {outcome.requests} requests were refused, {outcome.broken} broke")
    if not outcome.acknowledged and not may_refuse:
        raise Mismatch("nothing was acknowledged")
