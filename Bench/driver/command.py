"""A benchmark run: starts the programs, runs the parts in order, prints the table and stops everything."""

import importlib
import os
import resource
import signal
import sys

from . import machine
from .collector import Collector
from .options import ROOT, Options
from .parts import reports, stored, warm_up
from .progress import log
from .report import Report

RESULT = ROOT / ".build/bench.json"
PREVIOUS = ROOT / ".build/bench.previous.json"


def main() -> int:
    options = Options.parse(sys.argv[1:])
    # Exit through the context managers when the run is terminated.
    for number in [signal.SIGTERM, signal.SIGHUP]:
        signal.signal(number, lambda *_: sys.exit(1))
    forget_settings()
    _, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (maximum, maximum))
    try:
        report = measured(options)
    except KeyboardInterrupt:
        log("stopped")
        return 130
    if RESULT.exists():
        RESULT.replace(PREVIOUS)
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(report.json())
    print(report.text())
    return 0


def forget_settings() -> None:
    """Removes settings that could connect the collectors or psql to a database in use."""
    allowed = ["AFTERPUSH_POSTGRES_BIN", "AFTERPUSH_POSTGRES_USER"]
    for name in list(os.environ):
        if name.startswith(("AFTERPUSH_", "PG")) and name not in allowed or name == "DATABASE_URL":
            del os.environ[name]


def measured(options: Options) -> Report:
    with Collector(options) as collector:
        report = Report(machine.describe(options, collector.database), options.lengths, RESULT)
        warm_up(collector)
        for part in options.parts:
            if part not in ["stored", "reports"]:
                log(f"part {part}")
                importlib.import_module(f".parts.{part}", __package__).run(options, collector, report)
    # Run at most two clusters at a time.
    if "stored" in options.parts:
        log("part stored")
        stored.run(options, report)
    if "reports" in options.parts:
        log("part reports")
        reports.run(options, report)
    return report
