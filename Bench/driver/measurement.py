"""Measures one load on a collector: stored events, rollup lag and CPU time."""

import dataclasses

from . import load as wrk
from .collector import Collector
from .load import Load, Outcome
from .processes import cpu_seconds, family_cpu_seconds, memory_mib


class Mismatch(RuntimeError):
    """Responses and stored events differ, which makes all numbers of the run meaningless."""


@dataclasses.dataclass(frozen=True)
class Measurement:
    outcome: Outcome
    first_batch: int  # the batches of the load come after this one
    batches: int
    stored: int
    pending: int  # batches that were not in the rollups when the load ended
    drain_seconds: float  # until all were in the rollups
    lag_p50_ms: float  # from a batch's commit to its rollup
    lag_max_ms: float
    cpu_microseconds: dict[str, float]  # per event, until the rollups were done
    role_cpu_microseconds: dict[str, float]  # the same of PostgreSQL alone, by the role of the collector's connections
    bytes_written: dict[str, float]  # per event, until the rollups were done: WAL, and tables with their indexes
    memory_mib: float  # peak memory of the collector since its start

    @property
    def events_per_second(self) -> float:
        return self.outcome.events_per_second

    def facts(self) -> dict[str, object]:
        """The values for the JSON file."""
        return dataclasses.asdict(self) | {"events_per_second": self.events_per_second}


def measure(collector: Collector, load: Load, allow_rejections: bool = False) -> Measurement:
    database = collector.database
    # Earlier writes must not be flushed during the load.
    database.value("checkpoint")
    first_batch = int(database.value("select coalesce(max(batch_id), 0) from afterpush.batches"))
    postmaster = database.postmaster
    before = cpu_seconds(collector.program.pid), family_cpu_seconds(postmaster)
    roles_before, written_before = database.role_cpu_seconds(), database.written()
    spooled_before = spooled_requests(collector)
    outcome = wrk.run(load, collector.program.address, collector.keys)
    pending = int(database.value("select count(*) from afterpush.batches where rolled_up_at is null"))
    drain_seconds = collector.settle(2 if allow_rejections else 0.2)
    after = cpu_seconds(collector.program.pid), family_cpu_seconds(postmaster)
    roles, written = database.role_cpu_seconds(), database.written()
    batches, stored, duplicates, rejected, lag_p50, lag_max = map(
        float, database.file("batches.sql", after=first_batch).split("\t")
    )
    check(outcome, stored, duplicates, rejected, allow_rejections)
    spooled = spooled_requests(collector) - spooled_before
    if spooled and not allow_rejections:
        raise Mismatch(f"{spooled:.0f} requests were acknowledged from the spool, not from PostgreSQL")
    used = {
        "collector": after[0] - before[0], "postgres": after[1] - before[1], "load": outcome.cpu_seconds,
    }
    events = max(stored or outcome.acknowledged * load.events, 1)
    by_role: dict[str, float] = {}
    for connection, seconds in roles.items():
        spent = seconds - roles_before.get(connection, 0)
        by_role[connection[0]] = by_role.get(connection[0], 0) + spent * 1e6 / events
    return Measurement(
        outcome=outcome, first_batch=first_batch, batches=int(batches), stored=int(stored), pending=pending,
        drain_seconds=drain_seconds, lag_p50_ms=lag_p50, lag_max_ms=lag_max,
        cpu_microseconds={name: seconds * 1e6 / events for name, seconds in used.items()},
        role_cpu_microseconds=by_role,
        bytes_written={name: (count - written_before[name]) / events for name, count in written.items()},
        memory_mib=memory_mib(collector.program.pid, "VmHWM"),
    )


def spooled_requests(collector: Collector) -> float:
    return collector.program.metric("afterpush_http_requests_total", 'status="202"')


def check(outcome: Outcome, stored: float, duplicates: float, rejected: float, allow_rejections: bool) -> None:
    """Checks that every acknowledged event is stored. Other events may be stored only if the end of the load cut off
    their request, or their response asked for a retry."""
    events = outcome.load.events
    minimum = 0 if outcome.load.format == "ignored" else outcome.acknowledged * events
    maximum = minimum + (outcome.load.connections + outcome.rejected + outcome.broken) * events
    if duplicates or rejected:
        raise Mismatch(f"{duplicates:.0f} duplicates, {rejected:.0f} rejected, although all events are new and valid")
    if outcome.load.format == "ignored":
        maximum = 0
    if not minimum <= stored <= maximum:
        raise Mismatch(f"{minimum} events were acknowledged, {stored:.0f} are stored; {outcome}")
    if (outcome.rejected or outcome.broken) and not allow_rejections:
        raise Mismatch(f"{outcome.rejected} of {outcome.requests} requests were rejected, {outcome.broken} failed")
    if not outcome.acknowledged and not allow_rejections:
        raise Mismatch("no request was acknowledged")
