"""The run: programs up, parts in order, table out, everything down."""

import importlib
import os
import resource
import signal
import sys

from . import machine
from .collector import Collector
from .options import ROOT, Options
from .parts import reports, stored, warm_up
from .progress import say
from .report import Report

RESULT = ROOT / ".build/bench.json"
PREVIOUS = ROOT / ".build/bench.previous.json"


def main() -> int:
    options = Options.parse(sys.argv[1:])
    # A `with` is left also when somebody ends the run.
    for number in [signal.SIGTERM, signal.SIGHUP]:
        signal.signal(number, lambda *_: sys.exit(1))
    forget_settings()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    try:
        report = measured(options)
    except KeyboardInterrupt:
        say("stopped")
        return 130
    if RESULT.exists():
        RESULT.replace(PREVIOUS)
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(report.json())
    print(report.text())
    return 0


def forget_settings() -> None:
    """The collectors have clusters of their own: no setting may lead them, or psql, to a database that is in use."""
    kept = ["AFTERPUSH_POSTGRES_BIN", "AFTERPUSH_POSTGRES_USER"]
    for name in list(os.environ):
        if name.startswith(("AFTERPUSH_", "PG")) and name not in kept or name == "DATABASE_URL":
            del os.environ[name]


def measured(options: Options) -> Report:
    with Collector(options) as collector:
        report = Report(machine.describe(options, collector.database), options.lengths, RESULT)
        warm_up(collector)
        for part in options.parts:
            if part not in ["stored", "reports"]:
                say(f"part {part}")
                importlib.import_module(f".parts.{part}", __package__).run(options, collector, report)
    # Two clusters are enough at a time.
    if "stored" in options.parts:
        say("part stored")
        stored.run(options, report)
    if "reports" in options.parts:
        say("part reports")
        reports.run(options, report)
    return report
