"""The baseline for requests of 100: a COPY of the same rows into a table with the same keys."""

import pathlib
import time

from .database import Database
from .measurement import Measurement
from .processes import family_cpu_seconds


def copy_rows(database: Database, of: Measurement, directory: pathlib.Path) -> dict[str, float]:
    file = directory / "rows.copy"
    database.file("twin.sql")
    try:
        # Rows are copied in the order in which they were stored.
        database.value(
            f"\\copy (select * from afterpush.events where batch_id > {of.first_batch})"
            f" to '{file}' with (format binary)"
        )
        database.value("checkpoint")
        before = family_cpu_seconds(database.postmaster)
        begun = time.monotonic()
        database.value(f"\\copy bench.twin from '{file}' with (format binary)")
        seconds = time.monotonic() - begun
        cpu = family_cpu_seconds(database.postmaster) - before
    finally:
        file.unlink(missing_ok=True)
    rows = database.number("select count(*) from bench.twin")
    if rows != of.stored:
        raise RuntimeError(f"COPY wrote {rows:.0f} rows of {of.stored}")
    database.value("drop table bench.twin")
    return {"rows_per_second": rows / seconds, "cpu_microseconds": cpu * 1e6 / rows, "seconds": seconds}
