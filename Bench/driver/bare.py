"""The baseline for single events: a handler that decodes the same body and responds."""

from . import load as wrk
from .load import Load
from .options import Options
from .processes import cpu_seconds
from .program import Program


class BareHandler:
    """A context manager that stops the handler on exit."""

    def __init__(self, options: Options, decoding: str):
        """`decoding` is `decoder` for Foundation's JSONDecoder, or `reader` for the collector's own, faster reader."""
        self.program = Program([str(options.binaries / "BareHandler"), decoding])

    def __enter__(self) -> "BareHandler":
        self.program.wait_until_ready()
        return self

    def __exit__(self, *_: object) -> None:
        self.program.stop()

    def run(self, load: Load) -> dict[str, float]:
        before = cpu_seconds(self.program.pid)
        outcome = wrk.run(load, self.program.address, {"send": "none", "ingest": "none"})
        used = cpu_seconds(self.program.pid) - before
        if outcome.rejected or outcome.broken:
            raise RuntimeError(f"bare handler: {outcome.rejected} requests were rejected, {outcome.broken} failed")
        return {
            "requests_per_second": outcome.requests_per_second,
            "cpu_microseconds": used * 1e6 / outcome.requests,
            "load_cpu_microseconds": outcome.cpu_seconds * 1e6 / outcome.requests,
            "p50_ms": outcome.p50_ms,
            "p99_ms": outcome.p99_ms,
        }
