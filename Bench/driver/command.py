"""The run: programs up, parts in order, table out, everything down."""

import resource
import signal
import sys

from . import machine, parts
from .collector import Collector
from .options import ROOT, Options
from .progress import say
from .report import Report

RESULT = ROOT / ".build/bench.json"
PREVIOUS = ROOT / ".build/bench.previous.json"


def main() -> int:
    options = Options.parse(sys.argv[1:])
    # A `with` is left also when somebody ends the run.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if RESULT.exists():
        RESULT.replace(PREVIOUS)
    try:
        report = measured(options)
    except KeyboardInterrupt:
        say("stopped")
        return 130
    RESULT.write_text(report.json())
    print(report.text())
    return 0


def measured(options: Options) -> Report:
    with Collector(options) as collector:
        report = Report(machine.describe(options, collector.database), PREVIOUS)
        parts.warm_up(collector)
        for part in options.parts:
            say(f"part {part}")
            getattr(parts, part)(options, collector, report)
    return report
