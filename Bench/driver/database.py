"""Access to a collector's database through psql."""

import os
import pathlib
import signal
import subprocess
import time

from .processes import cpu_seconds

SQL = pathlib.Path(__file__).resolve().parent.parent / "sql"


class Database:
    def __init__(self, url: str):
        self.url = url
        self.directory = pathlib.Path(self.value("show data_directory"))

    def psql(self, *arguments: str, **variables: object) -> str:
        command = ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--field-separator=\t"]
        command += ["--set=ON_ERROR_STOP=1"]
        command += [f"--set={name}={value}" for name, value in variables.items()]
        done = subprocess.run(
            [*command, *arguments, self.url], text=True, capture_output=True, env={**os.environ, "PGTZ": "UTC"}
        )
        if done.returncode != 0:
            raise RuntimeError(f"psql {arguments}: {done.stderr.strip()}")
        return done.stdout.strip()

    def value(self, statement: str) -> str:
        return self.psql(f"--command={statement}")

    def number(self, statement: str) -> float:
        return float(self.value(statement) or 0)

    def file(self, name: str, **variables: object) -> str:
        return self.psql(f"--file={SQL / name}", **variables)

    @property
    def postmaster(self) -> int:
        return int((self.directory / "postmaster.pid").read_text().split()[0])

    def role_cpu_seconds(self) -> dict[tuple[str, int], float]:
        """The CPU time of each connection of the collector, by its role and process."""
        lines = self.value(
            "select replace(application_name, 'afterpush ', ''), pid from pg_stat_activity"
            " where application_name like 'afterpush %'"
        ).splitlines()
        processes = [(role, int(pid)) for role, pid in (line.split("\t") for line in lines)]
        return {(role, pid): cpu_seconds(pid) for role, pid in processes}

    def written(self) -> dict[str, float]:
        """Bytes of the WAL since the cluster was made, and of the database."""
        wal, disk = self.value(
            "select pg_current_wal_lsn() - '0/0'::pg_lsn, pg_database_size(current_database())").split("\t")
        return {"wal": float(wal), "disk": float(disk)}

    def wait_for_rollups(self, seconds: float = 600) -> None:
        """Waits until all batches are in the rollups."""
        begun = time.monotonic()
        while self.value("select exists (select from afterpush.batches where rolled_up_at is null)") == "t":
            if time.monotonic() > begun + seconds:
                raise RuntimeError(f"some batches are not in the rollups after {seconds} s")
            time.sleep(0.05)

    def stop(self) -> None:
        """Stops a server that its collector left running."""
        try:
            postmaster = self.postmaster
            os.kill(postmaster, signal.SIGINT)
            while True:
                os.kill(postmaster, 0)
                time.sleep(0.05)
        except (FileNotFoundError, ProcessLookupError):
            return
