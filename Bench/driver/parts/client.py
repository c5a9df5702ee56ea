"""The device library: the cost of recording an event, and the rate at which a fleet of devices posts."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

from ..collector import Collector
from ..options import Options
from ..progress import log
from ..report import Report

EVENTS = 10_000
DEVICES = 2_000


def run(options: Options, collector: Collector, report: Report) -> None:
    record(options, collector, report)
    fleet(options, collector, report)


def record(options: Options, collector: Collector, report: Report) -> None:
    turns = []
    for _ in range(options.repetitions):
        # The queue must be on the disk that is measured.
        with tempfile.TemporaryDirectory(prefix="queue-", dir=options.directory) as directory:
            turns.append(json.loads(output(
                options.binaries / "RecordTimes", directory, EVENTS, collector.program.address,
                collector.keys["ingest"],
            )))
        if turns[-1]["accepted"] != EVENTS:
            raise RuntimeError(f"{turns[-1]['accepted']} of {EVENTS} recorded events were accepted")
    one = sorted(turns, key=lambda turn: turn["p99_ms"])[(len(turns) - 1) // 2]
    recording, sending = one["late_kib"] - one["early_kib"], one["sent_kib"] - one["late_kib"]
    log(f"record: p50 {one['p50_ms']:.2f} ms, p99 {one['p99_ms']:.2f} ms, maximum {one['max_ms']:.1f} ms;"
        f" memory grew by {recording} KiB while recording and {sending} KiB while sending")
    report.figure("client.record", "Recording an event on a device, p99", one["p99_ms"], "{:.2f} ms", maximum=1,
                  detail=f"p50 {one['p50_ms']:.2f} ms, maximum {one['max_ms']:.1f} ms; {EVENTS:,} events, each on disk"
                  " when record returns")
    report.figure("client.memory", "Memory growth over 9,000 more events", recording / 1024, "{:.1f} MiB", maximum=2,
                  detail=f"another {sending / 1024:.1f} MiB to send them all")
    report.facts["client"] = turns


def fleet(options: Options, collector: Collector, report: Report) -> None:
    environment = os.environ | {
        f"AFTERPUSH_{scope.upper()}_KEY": collector.keys[scope] for scope in ["ingest", "send", "manage"]
    }
    started = time.monotonic()
    printed = output(
        options.binaries / "afterpush", "simulate", collector.program.address, "--devices", DEVICES,
        environment=environment,
    )
    seconds = time.monotonic() - started
    counts = re.search(r"stored (\d+), duplicates (\d+), rejected 0", printed)
    if not counts:
        raise RuntimeError(f"unexpected output of afterpush simulate: {printed!r}")
    rate = int(counts[1]) / seconds
    log(f"fleet: {int(counts[1]):,} events of {DEVICES:,} devices in {seconds:.1f} s")
    report.figure("client.fleet", "Events/s of a simulated fleet", rate,
                  detail=f"{DEVICES:,} devices, each with the core of the device library, in small requests")


def output(program: pathlib.Path, *arguments: object, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run([str(program), *map(str, arguments)], text=True, capture_output=True, env=environment)
    if done.returncode != 0:
        raise RuntimeError(f"{program.name} exited with {done.returncode}: {done.stderr.strip()}")
    return done.stdout
