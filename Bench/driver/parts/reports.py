"""Reports over HTTP on ten million events, compared with a tenth and with plain SQL; import, rebuild and export."""

import re
import statistics
import subprocess
import threading
import time

from .. import dataset, page
from ..collector import Collector
from ..database import SQL
from ..load import Load, run as run_load
from ..options import ROOT, Options
from ..processes import memory_mib
from ..progress import log
from ..report import Report
from ..requests import Requests, milliseconds_in_turns, p95

TIMES = 60
# A campaign in the middle of the period.
CAMPAIGN = "campaign-120"
QUERIES = {
    "overview": ["", "from={month}"],
    "conversion": ["by=campaign", "by=category", "by=day", "campaign={campaign}&by=variant"],
    "actions": ["", "campaign={campaign}"],
    "timeseries": ["", "from={month}&campaign={campaign}"],
    "funnel": ["", "by=platform", "campaign={campaign}"],
    "experiment": ["campaign={campaign}"],
    "response-time": ["by=campaign", "campaign={campaign}", "campaign={campaign}&curve=true"],
    "heatmap": ["", "campaign={campaign}"],
    "influence": ["", "from={month}"],
    "fatigue": ["", "from={month}"],
    "health": ["", "from={month}"],
    "failures": ["", "by=app_version"],
    "undeclared": [""],
    "replies": [""],
    "value": [""],
    "lift": [""],
    "rejected": [""],
    "dialects": [""],
}
# The limits of the others are 20 ms. Those of a second are for ten million events, without from.
SLOW = {"response-time": 50, "heatmap": 50} | dict.fromkeys(
    ["influence", "fatigue", "health", "failures", "undeclared", "replies", "value", "lift", "rejected", "dialects"],
    1_000)
PLAIN = ["overview", "conversion", "actions", "timeseries", "funnel", "experiment"]


def run(options: Options, report: Report) -> None:
    with Imported(options, options.events) as imported:
        report.ratio("reports.import", "Import of NDJSON / 60,000 events/s", imported.rate / 60_000, 1,
                     f"{imported.rate:,.0f} events/s during ingest; {imported.events:,.0f} events")
        with Imported(options, options.events // 10) as tenth:
            slowest = timings(imported.collector, tenth.collector)
        for name, (took, _, median, query) in slowest.items():
            limit = SLOW.get(name, 20)
            report.figure(f"reports.{name}", f"Report {name}, p95", took, "{:.1f} ms", maximum=limit,
                          detail=f"?{query}, median {median:.1f} ms")
        for name in PLAIN:
            took, few, *_ = slowest[name]
            report.figure(f"reports.{name}.growth", f"Report {name}, p95 / p95 at a tenth", took / few,
                          "{:.2f}", maximum=1.3, detail=f"{few:.1f} ms")
            seconds = plain(imported.collector, name)
            report.ratio(f"reports.{name}.plain", f"Report {name} / plain SQL over events", seconds * 1000 / took, 100,
                         f"{seconds:.1f} s")
        if times := page.overview(imported.collector):
            report.figure("reports.page", "Dashboard, first content", times[0], "{:.0f} ms", maximum=200,
                          detail=f"in a browser with an empty cache; key metrics after {times[1]:.0f} ms")
        export(imported.collector, report)
        rebuild(imported.collector, report)


class Imported:
    """A context manager: a collector whose database holds the data set."""

    def __init__(self, options: Options, events: int):
        self.options, self.events_to_import = options, events
        self.collector = Collector(options)

    def __enter__(self) -> "Imported":
        files = dataset.write(self.options, self.events_to_import)
        log(f"{sum(file.stat().st_size for file in files) / 2**30:.1f} GiB of events written")
        collector = self.collector.__enter__()
        try:
            dataset.declare(collector)
            started = time.monotonic()
            with Ingest(collector):
                afterpush(collector, "import", "--app", "bench", *map(str, files))
                seconds = time.monotonic() - started
            self.events = collector.database.number(
                "select count(*) from afterpush.events where notification_id like 'n-%' or device_id like 'device-%'"
            )
            self.rate = self.events / seconds
            log(f"imported: {self.events:,.0f} events in {seconds:.0f} s, {self.rate:,.0f} events/s")
            log(f"rollups complete {collector.settle(0.2):.0f} s later")
            for file in files:
                file.unlink()
            collector.database.value("vacuum analyze")
            collector.database.value("checkpoint")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.collector.__exit__()


class Ingest:
    """A context manager that posts a thousand events per second."""

    def __init__(self, collector: Collector):
        self.collector = collector
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        while not self.ended.is_set():
            load = Load(events=100, connections=2, seconds=2, rate=10)
            run_load(load, self.collector.program.address, self.collector.keys)

    def __enter__(self) -> "Ingest":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.thread.join()


def afterpush(collector: Collector, *arguments: str) -> None:
    command = [str(collector.options.binaries / "afterpush"), *arguments, "--data-dir", str(collector.directory)]
    done = subprocess.run(command, text=True, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"afterpush {' '.join(arguments[:2])}: {done.stderr.strip()}")


def timings(collector: Collector, tenth: Collector) -> dict[str, tuple[float, float, float, str]]:
    """The slowest query of each report: its p95 in milliseconds, its p95 at a tenth, its median, and its text."""
    requests = [Requests(collector), Requests(tenth)]
    month = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 31 * 86_400))
    slowest = {}
    for name, queries in QUERIES.items():
        times = 5 if SLOW.get(name, 0) >= 1_000 else TIMES
        took = []
        for query in queries:
            query = query.format(campaign=CAMPAIGN, month=month)
            all_of_them, few = milliseconds_in_turns(requests, f"/v1/reports/{name}?{query}", times)
            took.append((p95(all_of_them), p95(few), statistics.median(all_of_them), query))
        slowest[name] = max(took)
        log(f"{name}: " + ", ".join(f"{one:.1f} ms, {few:.1f} at a tenth (?{query})" for one, few, _, query in took))
    return slowest


def plain(collector: Collector, name: str) -> float:
    """The seconds of one SQL statement that computes a report's counts from events, with a warm cache."""
    for _ in range(2):
        started = time.monotonic()
        collector.database.psql(f"--file={SQL / 'plain' / (name + '.sql')}", campaign=CAMPAIGN)
        seconds = time.monotonic() - started
    log(f"{name} by plain SQL: {seconds:.1f} s")
    return seconds


def export(collector: Collector, report: Report) -> None:
    collector.stop()
    collector.start()
    time.sleep(1)
    idle = memory_mib(collector.program.pid, "VmRSS")
    ours, theirs = [], []
    for _ in range(2):
        ours.append(seconds_of(["curl", "--silent", "--fail", "--output", "/dev/null", "--header",
                                "Authorization: Bearer " + collector.keys["read"],
                                collector.program.address + "/v1/export/events?format=csv"]))
        theirs.append(seconds_of(["psql", "--no-psqlrc", "--quiet", collector.database.url, "--command",
                                  f"\\copy ({exported()}) to '/dev/null' with (format csv, header)"]))
        log(f"export {ours[-1]:.0f} s, \\copy {theirs[-1]:.0f} s")
    grown = memory_mib(collector.program.pid, "VmHWM") - idle
    report.ratio("reports.export", "Export of all events as CSV / \\copy", min(theirs) / min(ours), 0.8,
                 f"{min(ours):.0f} s, \\copy {min(theirs):.0f} s")
    report.figure("reports.export.memory", "Memory for the export", grown, "{:.0f} MiB", maximum=32,
                  detail=f"over {idle:.0f} MiB")


def exported() -> str:
    """The export's statement on one line, for all rows."""
    text = (ROOT / "sql/statements/export_events.sql").read_text()
    zero = "00000000-0000-0000-0000-000000000000"
    values = {"batch_id": "0", "delivery_id": zero, "event_id": zero, "occurred_at": "-infinity", "from": "-infinity",
              "to": "infinity", "device_from": "-infinity", "device_to": "infinity", "limit": str(2**62)}
    text = re.sub(r":'(\w+)'", lambda variable: f"'{values[variable[1]]}'", text)
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("--") and "r.user_text" not in line]
    return " ".join(line.strip() for line in lines)


def rebuild(collector: Collector, report: Report) -> None:
    started = time.monotonic()
    with Ingest(collector):
        afterpush(collector, "rollup", "rebuild")
        seconds = time.monotonic() - started
    events = collector.database.number("select count(*) from afterpush.events")
    log(f"rebuilt in {seconds:.0f} s")
    report.ratio("reports.rebuild", "Rebuild / 150,000 events/s", events / seconds / 150_000, 1,
                 f"{events / seconds:,.0f} events/s during ingest")


def seconds_of(command: list[str]) -> float:
    started = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - started
