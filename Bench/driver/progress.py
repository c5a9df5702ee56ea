"""Progress messages on standard error."""

import sys
import time

_started = time.monotonic()


def log(message: str) -> None:
    print(f"bench: {time.monotonic() - _started:5.0f} s  {message}", file=sys.stderr, flush=True)
