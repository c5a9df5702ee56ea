"""Describes the machine and the settings, for the head of the table."""

import os
import pathlib
import platform
import subprocess
import tempfile
import time

from .database import Database
from .options import ROOT, Options

SETTINGS = ["fsync", "synchronous_commit", "full_page_writes", "wal_level", "wal_sync_method", "wal_compression",
            "shared_buffers", "max_wal_size", "autovacuum"]


def describe(options: Options, database: Database) -> dict[str, object]:
    return {
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "commit": _output("git", "-C", str(ROOT), "describe", "--always", "--dirty"),
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "kernel": platform.release(),
        "load_average_before": os.getloadavg()[0],
        "fdatasync_ms": _fdatasync_ms(options.directory),
        "postgresql": database.value("show server_version"),
        "settings": {name: database.value(f"show {name}") for name in SETTINGS},
    }


def _output(*command: str) -> str:
    done = subprocess.run(command, text=True, capture_output=True)
    return done.stdout.strip() if done.returncode == 0 else "unknown"


def _cpu_model() -> str:
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _fdatasync_ms(directory: pathlib.Path) -> float:
    """The median time to write 8 KiB to the disk of the clusters."""
    times = []
    with tempfile.TemporaryFile(dir=directory) as file:
        for _ in range(100):
            started = time.monotonic()
            os.write(file.fileno(), b"\0" * 8192)
            os.fdatasync(file.fileno())
            times.append((time.monotonic() - started) * 1000)
    return sorted(times)[50]
