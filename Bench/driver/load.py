"""Runs wrk with the script load.lua."""

import dataclasses
import json
import os
import pathlib
import secrets
import subprocess
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "load.lua"


@dataclasses.dataclass(frozen=True)
class Load:
    """A load: `rate` is in requests per second, 0 for no limit; for `lag`, `mix` and `format` see load.lua."""

    events: int
    connections: int
    seconds: int
    rate: float = 0
    mix: str = "spread"
    format: str = "native"
    lag: int = 2_000
    retry_delay_ms: int = 0  # how long a connection waits after a 429 or 503


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The result of wrk. `requests` excludes those that were in flight when it ended."""

    load: Load
    seconds: float
    requests: int  # responses with any status
    rejected: int  # responses with a status of 400 or more
    broken: int  # connection refused or reset, or timed out
    p50_ms: float
    p90_ms: float
    p99_ms: float
    max_ms: float
    late_p99_ms: float  # how late requests were sent, for a load with a rate
    cpu_seconds: float

    @property
    def acknowledged(self) -> int:
        return self.requests - self.rejected

    @property
    def requests_per_second(self) -> float:
        return self.acknowledged / self.seconds

    @property
    def events_per_second(self) -> float:
        return self.acknowledged * self.load.events / self.seconds


def run(load: Load, address: str, keys: dict[str, str]) -> Outcome:
    threads = min(2, load.connections)
    with tempfile.NamedTemporaryFile(prefix="afterpush-bench-") as result:
        environment = {
            "SEND_KEY": keys["send"], "INGEST_KEY": keys["ingest"], "EVENTS": load.events, "LAG": load.lag,
            "SEED": secrets.token_hex(4), "MIX": load.mix, "FORMAT": load.format, "RATE": load.rate, "RETRY_DELAY_MS": load.retry_delay_ms,
            "THREADS": threads, "RESULT": result.name,
        }
        wrk = subprocess.Popen(
            ["wrk", f"-t{threads}", f"-c{load.connections}", f"-d{load.seconds}s", "--timeout", "30s",
             "-s", str(SCRIPT), f"{address}/v1/events"],
            env={**os.environ, **{name: str(value) for name, value in environment.items()}},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        try:
            error_output = wrk.stderr.read()
        except BaseException:
            wrk.kill()
            raise
        finally:
            _, status, usage = os.wait4(wrk.pid, 0)
            wrk.returncode = os.waitstatus_to_exitcode(status)
        text = pathlib.Path(result.name).read_text()
    if wrk.returncode != 0 or not text:
        raise RuntimeError(f"wrk failed ({wrk.returncode}): {error_output}")
    result = json.loads(text)
    return Outcome(
        load=load, seconds=result["seconds"], requests=result["requests"], rejected=result["status"],
        broken=result["connect"] + result["read"] + result["write"] + result["timeout"],
        p50_ms=result["p50_ms"], p90_ms=result["p90_ms"], p99_ms=result["p99_ms"], max_ms=result["max_ms"],
        late_p99_ms=result["late_p99_ms"], cpu_seconds=usage.ru_utime + usage.ru_stime,
    )
