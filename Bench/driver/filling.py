"""Fills a database with many events: copies the events of a load, hour by hour, into the past.

A copy is as consistent as its original, so reports and `rollup verify` work on it.
"""

import concurrent.futures
import math
import shutil
import time

from .collector import Collector
from .database import Database
from .load import Load
from .measurement import measure
from .progress import log

SEED = 250_000  # events to copy
BYTES_PER_EVENT = 600  # with indexes, deliveries, and WAL that is not yet recycled
SESSIONS = 2


class NoSpace(RuntimeError):
    pass


def fill(collector: Collector, events: int) -> dict[str, float]:
    """Fills an empty database. Returns the number of events, the size, and how long it took."""
    started = time.monotonic()
    free = shutil.disk_usage(collector.directory).free
    if free < events * BYTES_PER_EVENT:
        raise NoSpace(f"{events:,} events need about {events * BYTES_PER_EVENT / 2**30:.0f} GiB;"
                      f" {free / 2**30:.0f} GiB are free in {collector.directory}")
    database = collector.database
    stored = _seed(collector, min(SEED, events))
    copies = math.ceil((events - stored) / stored)
    _prepare(database, copies)
    done = 0
    with concurrent.futures.ThreadPoolExecutor(SESSIONS) as sessions:
        # The earliest hour comes first, as if it had been stored then.
        for _ in sessions.map(lambda hours: _copy(database, hours), range(copies, 0, -1)):
            done += 1
            if done % max(1, copies // 10) == 0:
                log(f"filled: {stored * (done + 1):,} events")
        log("vacuum")
        list(sessions.map(database.value, _vacuums(database)))
    _restore(database)
    return {"events": stored * (copies + 1), "seconds": time.monotonic() - started,
            "gib": database.number("select pg_database_size(current_database())") / 2**30}


def _seed(collector: Collector, events: int) -> int:
    stored = 0
    while stored < events:
        stored += measure(collector, Load(events=100, connections=64, seconds=3, lag=200)).stored
    return stored


def _prepare(database: Database, copies: int) -> None:
    database.value(f"select afterpush.ensure_partitions(now(), {math.ceil(copies / (28 * 24)) + 1}, 1)")
    # Filling is not measured, and need not survive a crash.
    for setting in ["fsync = off", "full_page_writes = off", "autovacuum = off"]:
        database.value(f"alter system set {setting}")
    database.value("select pg_reload_conf()")
    # The rows to copy go into tables of their own, so that copies are not copied again.
    statements = []
    for table, columns, values in _tables(database):
        order = "order by substr(delivery_id::text, 5)" if "delivery_id" in columns else ""
        database.value(f"create table public.seed_{table} as select {columns} from afterpush.{table} {order}")
        statements.append(f"insert into afterpush.{table} ({columns}) select {values} from public.seed_{table};")
    span = int(database.number("select max(batch_id) from afterpush.batches")) + 1
    database.value(
        "create procedure public.copy_seed(hours integer) language plpgsql as $$"
        f" declare span constant bigint := {span}; copies constant integer := {copies};"
        f" begin {' '.join(statements)} end $$"
    )


def _tables(database: Database) -> list[list[str]]:
    return [line.split("\t") for line in database.file("columns.sql").splitlines() if line]


def _copy(database: Database, hours: int) -> None:
    database.value(f"set synchronous_commit = off; call public.copy_seed({hours})")


def _vacuums(database: Database) -> list[str]:
    tables = database.value(
        "select c.oid::regclass from pg_class as c where c.relnamespace = 'afterpush'::regnamespace"
        " and c.relkind = 'r' order by pg_table_size(c.oid) desc"
    )
    return [f"vacuum (freeze, analyze) {table}" for table in tables.split()]


def _restore(database: Database) -> None:
    """Restores the settings and writes everything to disk."""
    database.value("drop procedure public.copy_seed")
    for table, _, _ in _tables(database):
        database.value(f"drop table public.seed_{table}")
    for setting in ["fsync", "full_page_writes", "autovacuum"]:
        database.value(f"alter system reset {setting}")
    database.value("select pg_reload_conf()")
    database.value("checkpoint")
