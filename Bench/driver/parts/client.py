"""The device library: what recording an event costs a device, and how fast a fleet of devices posts."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

from ..collector import Collector
from ..options import Options
from ..progress import say
from ..report import Report

EVENTS = 10_000
DEVICES = 2_000


def run(options: Options, collector: Collector, report: Report) -> None:
    record(options, collector, report)
    fleet(options, collector, report)


def record(options: Options, collector: Collector, report: Report) -> None:
    turns = []
    for _ in range(options.repetitions):
        # On the disk whose speed matters.
        with tempfile.TemporaryDirectory(prefix="queue-", dir=options.directory) as directory:
            turns.append(json.loads(output(
                options.binaries / "RecordTimes", directory, EVENTS, collector.program.address,
                collector.keys["ingest"],
            )))
        if turns[-1]["accepted"] != EVENTS:
            raise RuntimeError(f"of {EVENTS} recorded events {turns[-1]['accepted']} were accepted")
    one = sorted(turns, key=lambda turn: turn["p99_ms"])[(len(turns) - 1) // 2]
    recording, sending = one["late_kib"] - one["early_kib"], one["sent_kib"] - one["late_kib"]
    say(f"record: p50 {one['p50_ms']:.2f} ms, p99 {one['p99_ms']:.2f} ms, most {one['max_ms']:.1f} ms;"
        f" memory grew by {recording} KiB, by another {sending} KiB when all were sent")
    report.figure("client.record", "A device records an event, p99", one["p99_ms"], "{:.2f} ms", most=1,
                  detail=f"p50 {one['p50_ms']:.2f} ms, most {one['max_ms']:.1f} ms; {EVENTS:,} events, each on the disk"
                  " when record returns")
    report.figure("client.memory", "Memory that 9,000 more of them take", recording / 1024, "{:.1f} MiB", most=2,
                  detail=f"and {sending / 1024:.1f} MiB more to send them all")
    report.facts["client"] = turns


def fleet(options: Options, collector: Collector, report: Report) -> None:
    environment = os.environ | {
        f"AFTERPUSH_{scope.upper()}_KEY": collector.keys[scope] for scope in ["ingest", "send", "manage"]
    }
    begun = time.monotonic()
    said = output(
        options.binaries / "afterpush", "simulate", collector.program.address, "--devices", DEVICES,
        environment=environment,
    )
    seconds = time.monotonic() - begun
    counts = re.search(r"stored (\d+), duplicates (\d+), rejected 0", said)
    if not counts:
        raise RuntimeError(f"afterpush simulate said {said!r}")
    rate = int(counts[1]) / seconds
    say(f"fleet: {int(counts[1]):,} events of {DEVICES:,} devices in {seconds:.1f} s")
    report.figure("client.fleet", "Events/s of a simulated fleet", rate,
                  detail=f"{DEVICES:,} devices, each with the device library's own core, in small requests")


def output(program: pathlib.Path, *arguments: object, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run([str(program), *map(str, arguments)], text=True, capture_output=True, env=environment)
    if done.returncode != 0:
        raise RuntimeError(f"{program.name} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout
