"""The peer of single events: a handler that decodes the same body and answers."""

from . import load as wrk
from .load import Load
from .options import Options
from .processes import cpu_seconds
from .program import Program


class BareHandler:
    """Leaving its `with` stops it."""

    def __init__(self, options: Options, way: str):
        """`way` of decoding: `decoder` is Foundation's, `reader` the collector's own, the faster one."""
        self.program = Program([str(options.binaries / "BareHandler"), way])

    def __enter__(self) -> "BareHandler":
        self.program.wait_until_ready()
        return self

    def __exit__(self, *_: object) -> None:
        self.program.stop()

    def run(self, load: Load) -> dict[str, float]:
        before = cpu_seconds(self.program.pid)
        outcome = wrk.run(load, self.program.address, {"send": "none", "ingest": "none"})
        used = cpu_seconds(self.program.pid) - before
        if outcome.refused or outcome.broken:
            raise RuntimeError(f"the bare handler refused {outcome.refused} requests, and broke {outcome.broken}")
        return {
            "requests_per_second": outcome.requests_per_second,
            "cpu_microseconds": used * 1e6 / outcome.requests,
            "load_cpu_microseconds": outcome.cpu_seconds * 1e6 / outcome.requests,
            "p50_ms": outcome.p50_ms,
            "p99_ms": outcome.p99_ms,
        }
